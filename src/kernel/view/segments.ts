import type { NamedSegment } from '../../domain/content/grouping'
import type { FlagState } from '../../domain/flag-state'
import type { PermissionCheck } from '../host/permissions'

export function segmentName({ id, name }: NamedSegment, currentNames: ReadonlyMap<number, string>): string {
  return currentNames.get(id) ?? name ?? `Segment #${id}`
}

const maxShown = 100

/** A flag that uses a segment; or how many others do, because the caller cannot read their projects or they are too many. */
export type SegmentUser = { readonly project: string; readonly feature: string } | { readonly others: number }

/** The first 100 flags that use the segment, those of the project first; null if the gateway does not return them. */
export async function usersOfSegment(
  id: number,
  { segmentUse }: Pick<FlagState, 'segmentUse'>,
  { project: own, hasPermission }: { readonly project: string; readonly hasPermission: PermissionCheck },
): Promise<readonly SegmentUser[] | null> {
  const found = segmentUse?.get(id)
  if (found === undefined) return null
  const isOwn = ({ project }: { readonly project: string }) => project === own
  const first = [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))].slice(0, maxShown)
  const projects = [...new Set(first.map(({ project }) => project))]
  const isReadable = await Promise.all(projects.map((project) => hasPermission('READ_CHANGE_REQUEST', { project })))
  const readable = first.filter(({ project }) => isReadable[projects.indexOf(project)])
  const others = found.length - readable.length
  return [...readable.map(({ project, feature }) => ({ project, feature })), ...(others === 0 ? [] : [{ others }])]
}
