import type { EventType } from '../../generated/index'
import type { ApplyTrace, ApprovalRecord, ChangeRequest, Objection } from '../change-request'
import { endObjections, openObjections, stopsInEvent } from '../content/objections'
import { customFieldsData } from '../custom-fields/custom-fields'
import { type Created, withSnapshots, withTraces } from '../diff/snapshots'
import { type Attribution, changeRequestEvent, type EventData, type EventDraft } from '../events/events'
import type { FlagState } from '../flag-state'
import { withoutPreset } from '../schedule/preset'
import { type Decision, enterState, withEnding } from './decision'
import { withComment } from './discussion'
import { withoutSchedule } from './schedule'

export interface ApplyCommand extends Attribution {
  readonly comment: string | null
  readonly scheduled?: true
  /** What it leaves in its event; absent for nothing. */
  readonly trace?: ApplyTrace | undefined
  /** Who stored its outcome, if it was interrupted and no gateway reported it. */
  readonly settled?: 'operator' | undefined
  /** What its approvals were compared with; absent if unknown. */
  readonly record?: ApprovalRecord
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(
  current: ChangeRequest,
  applyId: string,
  command: ApplyCommand & { readonly digest: string },
): Decision {
  const { by, now: startedAt, scheduled, trace, comment, digest, record } = command
  const applying = {
    ...{ applyId, startedAt, ...record, digest, by: by.author },
    ...(comment === null ? {} : { comment }),
    ...(scheduled === true ? { scheduled } : {}),
    ...(trace && { trace }),
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
  const unstopped = endStops(withoutPreset(withoutSchedule(current)), command)
  const settled = withComment({ ...unstopped, applying: null }, command)
  const { by, now, scheduled, trace, record } = command
  const emergency = trace?.emergency && { ...trace.emergency, appliedBy: by.author.person, acknowledgement: null }
  const applied = withTraces(withSnapshots(enterState(settled, 'change-request-applied', now), before), before, created)
  const changeRequest = withEnding({ ...applied, ...(emergency && { emergency }) }, command, record, scheduled)
  const event = (type: EventType, facts?: EventData) => changeRequestEvent(type, changeRequest, command, facts)
  const data = { ...appliedData(command), ...customFieldsData(current), ...stopsInEvent(changeRequest) }
  const events = [event('change-request-applied', data)]
  if (scheduled === true) events.push(event('change-request-scheduled-application-success'))
  return { changeRequest, events: [...flagEvents, ...events] }
}

/** The emergency names those that were open when it began. Those that came while it was being applied could not stop it. */
function endStops(current: ChangeRequest, { by, now: at, trace }: ApplyCommand): ChangeRequest {
  const ending = { by: by.author.person, at }
  const missing = trace?.emergency?.missing ?? []
  const isNamed = ({ by, at }: Objection) =>
    missing.some((one) => one.code === 'objection' && one.by.id === by.id && one.at === at)
  const passed = endObjections(current, { how: 'emergency', ...ending }, openObjections(current).filter(isNamed))
  return endObjections(passed, { how: 'applied', ...ending })
}

/** The same for an apply that was interrupted, except that an operator settled it. */
function appliedData({ scheduled, trace, settled }: ApplyCommand): EventData {
  const isTraced = trace?.policy !== undefined
  return {
    ...(scheduled === true && { scheduled }),
    // It holds only JSON values.
    ...(trace as EventData | undefined),
    ...(settled !== undefined && isTraced && { settled }),
  }
}
