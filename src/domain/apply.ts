import { definitionOf } from './actions'
import type { Author, Change, ChangeRequest, JsonValue } from './change-request'
import { segmentId } from './content/grouping'
import { type Decision, enterState, type StepOccasion } from './decision'
import { requireStepWithComment, withComment } from './discussion'
import { changeRequestEvent, type EventDraft } from './events/events'
import type { FlagState } from './flags/flag-state'

/** What must hold before the gateway is called. @throws ChangeRequestError that lists all that is missing. */
export function requireApplicable(current: ChangeRequest, occasion: StepOccasion): void {
  requireStepWithComment('apply', current, occasion)
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(current: ChangeRequest, applyId: string, by: Author, now: string): Decision {
  return { changeRequest: { ...current, applying: { applyId, startedAt: now, by } }, events: [] }
}

/** Undoes `beginApply` when the gateway refused or failed. */
export function abandonApply(current: ChangeRequest): Decision {
  return { changeRequest: { ...current, applying: null }, events: [] }
}

/** -> Applied, with what the flags were before and the events of the flags first (contract 6.4). */
export function completeApply(
  current: ChangeRequest,
  occasion: Pick<StepOccasion, 'by' | 'now' | 'comment'>,
  flagEvents: readonly EventDraft[],
  before: FlagState | undefined,
): Decision {
  const settled = withComment({ ...current, applying: null, schedule: null }, occasion)
  const changeRequest = withSnapshots(enterState(settled, 'Applied', occasion.now), before)
  const applied = changeRequestEvent('change-request-applied', changeRequest, occasion)
  return { changeRequest, events: [...flagEvents, applied] }
}

/** Stores with each change its target as it was before the change request was closed (contract 5.2). */
export function withSnapshots(current: ChangeRequest, before: FlagState | undefined): ChangeRequest {
  if (before === undefined) return current
  const changes = current.changes.map((change): Change => {
    const snapshot = snapshotOf(change, before)
    return snapshot === undefined ? change : { ...change, snapshot }
  })
  return { ...current, changes }
}

function snapshotOf(change: Change, { features, segments }: FlagState): JsonValue | undefined {
  const { snapshot } = definitionOf(change)
  if (change.feature === null) return snapshot(change.payload, segments.get(segmentId(change)))
  const feature = features.get(change.feature)
  return feature && snapshot(change.payload, feature)
}
