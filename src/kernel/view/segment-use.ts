import type { FlagState } from '../../domain/flag-state'
import type { PermissionCheck } from '../host/permissions'

const maxShown = 100

/** A flag that uses a segment; or how many others do, of projects that the caller cannot read. */
export type SegmentUser = { readonly project: string; readonly feature: string } | { readonly others: number }

/**
 * The flags that use the segment, at most 100, those of the project that the caller reads first; null if the gateway does not
 * return them.
 */
export async function usersOfSegment(
  id: number,
  { segmentUse }: Pick<FlagState, 'segmentUse'>,
  { project: own, hasPermission }: { readonly project: string; readonly hasPermission: PermissionCheck },
): Promise<readonly SegmentUser[] | null> {
  const found = segmentUse?.get(id)
  if (found === undefined) return null
  const isOwn = ({ project }: { readonly project: string }) => project === own
  const all = [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))].slice(0, maxShown)
  const projects = [...new Set(all.map(({ project }) => project))]
  const isReadable = await Promise.all(projects.map((project) => hasPermission('READ_CHANGE_REQUEST', { project })))
  const readable = all.filter(({ project }) => isReadable[projects.indexOf(project)])
  const others = all.length - readable.length
  return [...readable.map(({ project, feature }) => ({ project, feature })), ...(others === 0 ? [] : [{ others }])]
}
