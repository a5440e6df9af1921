import type { ChangeRequest } from '../../domain/change-request'
import { segmentsIn } from '../../domain/content/mentions'
import type { ChangeDiff } from '../../domain/diff/diff'
import { segmentId } from '../../domain/segment-id'
import { namesOfSegments } from '../../kernel/flags/segments'
import type { Services } from '../../kernel/services'

/** The current names of the segments that its changes alter, and of those that their strategies use. */
export async function findSegmentNames(
  services: Services,
  changeRequest: ChangeRequest,
  diffs: readonly ChangeDiff[],
  known: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const { changes } = changeRequest
  const altered = changes.flatMap((change) => (change.feature === null ? segmentId(change) : []))
  const used = [...changes.map(({ payload }) => payload), ...diffs.flatMap(({ before, after }) => [before, after])]
  const mentioned = new Set([...altered, ...used.flatMap(segmentsIn)])
  const unknown = [...mentioned].filter((id) => !known.has(id))
  return new Map([...known, ...(await namesOfSegments(services, changeRequest, unknown))])
}
