import type { EventType } from '../generated/index'
import { definitionOf } from './actions'
import type { Change, ChangeRequest, JsonValue } from './change-request'
import { segmentId } from './content/grouping'
import { type Decision, enterState, type StepOccasion } from './decision'
import { requireStepWithComment, withComment } from './discussion'
import { changeRequestEvent, type EventDraft, type Facts } from './events/events'
import type { FlagState } from './flags/flag-state'
import { withoutSchedule } from './schedule/schedule'

/** The input of an application. */
export interface ApplyOccasion extends Pick<StepOccasion, 'by' | 'now' | 'comment'> {
  /** Nobody applies it by hand: its time has come. */
  readonly scheduled?: true
}

/** What must hold before the gateway is called. @throws ChangeRequestError that lists all that is missing. */
export function requireApplicable(current: ChangeRequest, occasion: StepOccasion): void {
  requireStepWithComment('apply', current, occasion)
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(current: ChangeRequest, applyId: string, occasion: ApplyOccasion): Decision {
  const { by, now: startedAt, scheduled } = occasion
  const applying = { applyId, startedAt, by: by.author, ...(scheduled === true ? { scheduled } : {}) }
  return { changeRequest: { ...current, applying }, events: [] }
}

/** Undoes `beginApply` when the gateway refused or failed. */
export function abandonApply(current: ChangeRequest): Decision {
  return { changeRequest: { ...current, applying: null }, events: [] }
}

/** -> Applied, with what the flags were before and the events of the flags first (contract 6.4). */
export function completeApply(
  current: ChangeRequest,
  occasion: ApplyOccasion,
  flagEvents: readonly EventDraft[],
  before: FlagState | undefined,
): Decision {
  const settled = withComment({ ...withoutSchedule(current), applying: null }, occasion)
  const changeRequest = withSnapshots(enterState(settled, 'Applied', occasion.now), before)
  const event = (type: EventType, facts?: Facts) => changeRequestEvent(type, changeRequest, occasion, facts)
  const events =
    occasion.scheduled === true
      ? [event('change-request-applied', { scheduled: true }), event('change-request-scheduled-application-success')]
      : [event('change-request-applied')]
  return { changeRequest, events: [...flagEvents, ...events] }
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
