import type { Author, ChangeRequest, Hold, Scheduling } from '../change-request'
import { fittingText } from '../content/size'
import { type Attribution, changeRequestEvent, systemUserId } from '../events/events'
import { withoutPreset } from '../schedule/preset'
import { type Decision, enterState, type LimitedCommand } from './decision'
import { requireStepWithComment } from './discussion'

export interface ScheduleCommand extends LimitedCommand<'schedule'> {
  /** UTC, ISO 8601 with milliseconds. */
  readonly scheduledAt: string
}

/** Approved -> Scheduled, or a new time for a Scheduled one (contract 6.2). */
export function schedule(current: ChangeRequest, command: ScheduleCommand): Decision {
  const { scheduledAt, facts, commentLimits } = command
  const comment = fittingText(current.comments, command.comment, commentLimits)
  const commented = requireStepWithComment('schedule', current, { ...command, comment }, { at: scheduledAt })
  return setSchedule(commented, command, { scheduledAt, targets: facts.targets })
}

interface NewSchedule extends Pick<Scheduling, 'targets'> {
  readonly scheduledAt: string
  /** When it was preset; absent if it was not. */
  readonly presetAt?: string
}

export function setSchedule(
  current: ChangeRequest,
  attribution: Attribution,
  { scheduledAt, targets, ...preset }: NewSchedule,
): Decision {
  const { by, now } = attribution
  const planned = {
    ...withoutPreset(current),
    schedule: { scheduledAt, status: 'pending', reason: null },
    // Scheduled applies have no client IP.
    scheduling: { by: { ...by.author, ip: null }, targets },
  } as const
  const type = 'change-request-scheduled'
  const changeRequest = enterState(planned, type, now)
  const data = { scheduledDate: scheduledAt, ...preset }
  return { changeRequest, events: [changeRequestEvent(type, changeRequest, attribution, data)] }
}

/** The author of suspensions, which no user causes (contract 8.3). */
const system: Author = {
  person: { id: systemUserId, username: 'unleash_system_user', imageUrl: null },
  signature: 'unleash_system_user',
  ip: null,
}

export function suspend(current: ChangeRequest, now: string, reason: string): Decision {
  const { scheduledAt } = required(current.schedule, 'suspended')
  const changeRequest: ChangeRequest = { ...current, schedule: { scheduledAt, status: 'suspended', reason } }
  const by = { author: system }
  const event = changeRequestEvent('change-request-schedule-suspended', changeRequest, { by, now }, { reason })
  return { changeRequest, events: [event] }
}

/** Records a failed scheduled apply; `scheduledAt` becomes the time of the attempt (contract 5.3). */
export function fail(current: ChangeRequest, attribution: Attribution, reason: string): Decision {
  const { now: scheduledAt } = attribution
  const changeRequest: ChangeRequest = { ...current, schedule: { scheduledAt, status: 'failed', reason } }
  const type = 'change-request-scheduled-application-failure'
  return { changeRequest, events: [changeRequestEvent(type, changeRequest, attribution, { reason })] }
}

export function withoutSchedule(current: ChangeRequest): ChangeRequest {
  const { scheduling: _, ...others } = current
  return { ...others, schedule: null }
}

/** When the scheduler applies it; null unless a schedule is pending. */
export function dueAt({ state, schedule, scheduling }: ChangeRequest): string | null {
  if (state !== 'Scheduled' || schedule?.status !== 'pending') return null
  return scheduling?.holdEndedAt ?? schedule.scheduledAt
}

/** A freeze delays it; no event is written (contract 25.1). */
export function hold(current: ChangeRequest, held: Hold): ChangeRequest {
  const { holdEndedAt: _, ...scheduling } = required(current.scheduling, 'held')
  return { ...current, scheduling: { ...scheduling, held } }
}

export function endHold(current: ChangeRequest, holdEndedAt: string): ChangeRequest {
  const { held: _, ...scheduling } = required(current.scheduling, 'held')
  return { ...current, scheduling: { ...scheduling, holdEndedAt } }
}

function required<Part>(part: Part | null | undefined, done: 'held' | 'suspended'): Part {
  if (part == null) throw new Error(`Only a scheduled change request can be ${done}.`)
  return part
}
