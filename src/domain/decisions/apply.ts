import type { EventType } from '../../generated/index'
import type { ApprovalRecord, ChangeRequest, EmergencyTrace } from '../change-request'
import { customFieldsData } from '../custom-fields/custom-fields'
import { type Created, withSnapshots, withTraces } from '../diff/snapshots'
import { type Attribution, changeRequestEvent, type EventData, type EventDraft } from '../events/events'
import type { FlagState } from '../flag-state'
import { freezesAt } from '../freezes/freeze'
import { withoutPreset } from '../schedule/preset'
import type { Facts } from '../steps/facts'
import { type ApprovalFacts, unmetRequirements } from '../steps/requirements'
import { type Decision, enterState, withEnding } from './decision'
import { withComment } from './discussion'
import { withoutSchedule } from './schedule'

export interface ApplyCommand extends Attribution {
  readonly comment: string | null
  readonly scheduled?: true
  /** Stored if it is applied before its approval. */
  readonly emergency?: EmergencyTrace | undefined
  /** What its approvals were compared with; absent if unknown. */
  readonly record?: ApprovalRecord
}

/** What is stored about an emergency. If nothing is missing, it is an ordinary apply, and nothing is stored. */
export function traceOf(
  current: ChangeRequest,
  reason: string | null,
  facts: ApprovalFacts & Pick<Facts, 'freezes'>,
  now: string,
): EmergencyTrace | undefined {
  if (reason === null) return undefined
  const missing = [
    ...unmetRequirements(current, facts).map(
      ({ name, approvals, given }) => ({ code: 'missing-approvals', name, approvals, given }) as const,
    ),
    ...freezesAt(facts.freezes, now).map(({ name, until = null }) => ({ code: 'frozen', name, until }) as const),
  ]
  return missing.length === 0 ? undefined : { reason, missing }
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(
  current: ChangeRequest,
  applyId: string,
  command: ApplyCommand & { readonly digest: string },
): Decision {
  const { by, now: startedAt, scheduled, emergency, comment, digest, record } = command
  const applying = {
    ...{ applyId, startedAt, ...record, digest, by: by.author },
    ...(comment === null ? {} : { comment }),
    ...(scheduled === true ? { scheduled } : {}),
    ...(emergency && { emergency }),
  }
  return { changeRequest: { ...current, applying }, events: [] }
}

/** Undoes `beginApply` if the gateway rejected the changes or failed. */
export function abandonApply(current: ChangeRequest): Decision {
  return { changeRequest: { ...current, applying: null }, events: [] }
}

/** -> Applied. Stores the previous state of the flags; the events of the flags come first (contract 6.4). */
export function completeApply(
  current: ChangeRequest,
  command: ApplyCommand,
  flagEvents: readonly EventDraft[],
  before: FlagState | undefined,
  created: readonly Created[] = [],
): Decision {
  const settled = withComment({ ...withoutPreset(withoutSchedule(current)), applying: null }, command)
  const { by, now, scheduled, emergency, record } = command
  const trace = emergency && { emergency: { ...emergency, appliedBy: by.author.person, acknowledgement: null } }
  const applied = withTraces(withSnapshots(enterState(settled, 'Applied', now), before), before, created)
  const changeRequest = withEnding({ ...applied, ...trace }, command, record, scheduled)
  const event = (type: EventType, facts?: EventData) => changeRequestEvent(type, changeRequest, command, facts)
  const data: EventData = {
    ...(scheduled && { scheduled }),
    ...(emergency && {
      emergency: { reason: emergency.reason, missing: emergency.missing.map((one) => ({ ...one })) },
    }),
    ...customFieldsData(current),
  }
  const events = [
    event('change-request-applied', data),
    ...(scheduled === true ? [event('change-request-scheduled-application-success')] : []),
  ]
  return { changeRequest, events: [...flagEvents, ...events] }
}
