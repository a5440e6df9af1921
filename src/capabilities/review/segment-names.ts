import type { ChangeRequest } from '../../domain/change-request'
import { segmentsIn } from '../../domain/content/mentions'
import type { ChangeDiff } from '../../domain/diff/diff'
import type { FlagState } from '../../domain/flag-state'
import { segmentId } from '../../domain/segment-id'
import { namesOfSegments } from '../../kernel/host/flag-state'
import type { PermissionCheck } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { type SegmentUser, usersOfSegment } from '../../kernel/view/segments'

/** The current names of the segments that its changes alter, and of those that their strategies use. */
export async function findSegmentNames(
  services: Services,
  changeRequest: ChangeRequest,
  diffs: readonly ChangeDiff[],
  known: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const { changes } = changeRequest
  const used = [...changes.map(({ payload }) => payload), ...diffs.flatMap(({ before, after }) => [before, after])]
  const mentioned = new Set([...alteredSegments(changeRequest), ...used.flatMap(segmentsIn)])
  const unknown = [...mentioned].filter((id) => !known.has(id))
  return new Map([...known, ...(await namesOfSegments(services, changeRequest, unknown))])
}

export async function findSegmentUse(
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
  hasPermission: PermissionCheck,
): Promise<ReadonlyMap<number, readonly SegmentUser[]>> {
  if (flags === undefined) return new Map()
  const { project } = changeRequest
  const ids = [...new Set(alteredSegments(changeRequest))]
  const found = ids.map(async (id) => [id, await usersOfSegment(id, flags, { project, hasPermission })] as const)
  return new Map((await Promise.all(found)).flatMap(([id, users]) => (users === null ? [] : [[id, users]])))
}

function alteredSegments({ changes }: ChangeRequest): readonly number[] {
  return changes.flatMap((change) => (change.feature === null ? segmentId(change) : []))
}
