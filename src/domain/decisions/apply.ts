import type { EventType } from '../../generated/index'
import type { ChangeRequest, EmergencyTrace } from '../change-request'
import { type Created, withSnapshots, withTraces } from '../diff/traces'
import { changeRequestEvent, type EventDraft, type Facts } from '../events/events'
import type { FlagState } from '../flag-state'
import { unmetRequirements } from '../steps/requirements'
import { type Decision, enterState, type StepOccasion } from './decision'
import { requireStepWithComment, withComment } from './discussion'
import { withoutSchedule } from './schedule'

/** What is stored and told of an application. */
export interface ApplyOccasion extends Pick<StepOccasion, 'by' | 'now' | 'comment'> {
  /** Nobody applies it by hand: its time has come. */
  readonly scheduled?: true
  /** What an application before its approval leaves behind. */
  readonly emergency?: EmergencyTrace | undefined
}

/** The input of an application. */
export interface ApplyRequest extends StepOccasion, Pick<ApplyOccasion, 'scheduled'> {
  /** Why it is applied before its approval; null and absent for an ordinary application. */
  readonly reason?: string | null
}

/** What must hold before the gateway is called. @throws ChangeRequestError that lists all that is missing. */
export function requireApplicable(current: ChangeRequest, occasion: ApplyRequest): void {
  requireStepWithComment(occasion.reason == null ? 'apply' : 'applyInEmergency', current, occasion)
}

/** What an emergency leaves behind. Where nothing is missing it is an ordinary application, which leaves nothing. */
export function traceOf(
  current: ChangeRequest,
  { reason, facts }: Pick<ApplyRequest, 'reason' | 'facts'>,
): EmergencyTrace | undefined {
  if (reason == null) return undefined
  const missing = unmetRequirements(current, facts).map(({ name, approvals, given }) => ({ name, approvals, given }))
  return missing.length === 0 ? undefined : { reason, missing }
}

/** What is stored of an apply attempt before its outcome is known. */
export interface AttemptOccasion extends ApplyOccasion {
  /** Of all that it applies, default changes included. */
  readonly digest: string
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(current: ChangeRequest, applyId: string, occasion: AttemptOccasion): Decision {
  const { by, now: startedAt, scheduled, emergency, comment, digest } = occasion
  const applying = {
    ...{ applyId, startedAt, digest, by: by.author },
    ...(comment === null ? {} : { comment }),
    ...(scheduled === true ? { scheduled } : {}),
    ...(emergency && { emergency }),
  }
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
  created: readonly Created[] = [],
): Decision {
  const settled = withComment({ ...withoutSchedule(current), applying: null }, occasion)
  const { by, now, scheduled, emergency } = occasion
  const trace = emergency && { emergency: { ...emergency, appliedBy: by.author.person, acknowledgement: null } }
  const applied = withTraces(withSnapshots(enterState(settled, 'Applied', now), before), before, created)
  const changeRequest = { ...applied, ...trace }
  const event = (type: EventType, facts?: Facts) => changeRequestEvent(type, changeRequest, occasion, facts)
  const told = emergency && { emergency: { reason: emergency.reason, missing: [...emergency.missing] } }
  const events =
    scheduled === true
      ? [event('change-request-applied', { scheduled: true }), event('change-request-scheduled-application-success')]
      : [event('change-request-applied', told)]
  return { changeRequest, events: [...flagEvents, ...events] }
}
