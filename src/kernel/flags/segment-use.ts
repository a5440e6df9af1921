import type { FlagState } from '../../domain/flag-state'
import type { PermissionCheck } from '../permissions'

const maxShown = 100

/** A flag that uses a segment; or how many others do, of projects that the caller cannot read. */
export type SegmentUser = { readonly project: string; readonly feature: string } | { readonly others: number }

/** The flags that use the segment, at most 100; null if the gateway does not return them. */
export async function usersOfSegment(
  id: number,
  { segmentUse }: Pick<FlagState, 'segmentUse'>,
  hasPermission: PermissionCheck,
): Promise<readonly SegmentUser[] | null> {
  const all = segmentUse?.get(id)?.slice(0, maxShown)
  if (all === undefined) return null
  const projects = [...new Set(all.map(({ project }) => project))]
  const isReadable = await Promise.all(projects.map((project) => hasPermission('READ_CHANGE_REQUEST', { project })))
  const readable = all.filter(({ project }) => isReadable[projects.indexOf(project)])
  const others = all.length - readable.length
  return [...readable.map(({ project, feature }) => ({ project, feature })), ...(others === 0 ? [] : [{ others }])]
}
