import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeDiff } from '../../domain/diff/diff'
import { segmentId } from '../../domain/segment-id'
import { currentFlags } from '../../kernel/flags/flag-state'
import { segmentsIn } from '../../kernel/flags/segments'
import type { Services } from '../../kernel/services'

/** The current names of the segments that its changes alter, and of those that their strategies use. */
export async function findSegmentNames(
  services: Services,
  { project, environment, changes }: ChangeRequest,
  diffs: readonly ChangeDiff[],
  known: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const altered = changes.flatMap((change) => (change.feature === null ? segmentId(change) : []))
  const used = [...changes.map(({ payload }) => payload), ...diffs.flatMap(({ before, after }) => [before, after])]
  const mentioned = new Set([...altered, ...used.flatMap(segmentsIn)])
  const unknown = [...mentioned].filter((id) => !known.has(id))
  if (unknown.length === 0) return known
  const subjects = { project, environment, features: [], segments: unknown }
  // Without their names the review is still complete.
  const found = await currentFlags(services, subjects).catch(() => undefined)
  return new Map([...known, ...[...(found?.segments ?? [])].map(([id, { name }]) => [id, name] as const)])
}
