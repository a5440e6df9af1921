import type { Author, ChangeRequest, Hold, Scheduling } from '../change-request'
import { type Predecessor, type Relation, startOf, timeAfter } from '../content/follow'
import { fittingText } from '../content/size'
import { type Attribution, changeRequestEvent, systemUserId } from '../events/events'
import { withoutPreset } from '../schedule/preset'
import { type Decision, enterState, type LimitedCommand, loggedTexts } from './decision'
import { requireStepWithComment } from './discussion'

export interface ScheduleTime {
  /** UTC, ISO 8601 with milliseconds. Null with `minutesAfter`. */
  readonly scheduledAt: string | null
  /** The id of the change request that it follows; absent for none. */
  readonly after?: number | undefined
  /** How many minutes after that one it is applied; absent with a time. */
  readonly minutesAfter?: number | undefined
}

export interface ScheduleCommand extends LimitedCommand<'schedule'>, ScheduleTime {}

/** Approved -> Scheduled, or a new time for a Scheduled one (contract 6.2). */
export function schedule(current: ChangeRequest, command: ScheduleCommand): Decision {
  const { scheduledAt: at, after, facts, commentLimits } = command
  const comment = fittingText(current.comments, command.comment, commentLimits)
  const call = { at, follows: after !== undefined }
  const commented = requireStepWithComment('schedule', current, { ...command, comment }, call)
  return setSchedule(commented, command, {
    ...timed(current, command, facts.predecessor),
    targets: facts.targets,
    ...loggedTexts(facts, { comment }),
  })
}

/** The time, and what it follows. A schedule stays related to its predecessor once that was applied (contract 25.3). */
export function timed(
  { scheduling }: Pick<ChangeRequest, 'scheduling'>,
  { scheduledAt, after, minutesAfter }: ScheduleTime,
  predecessor: Predecessor | undefined,
): Omit<NewSchedule, 'targets'> {
  const other = predecessor?.changeRequest
  const start = other && startOf(other)
  const appliedAt = other?.state === 'Applied' ? start : undefined
  if (after === undefined) {
    const isKept = appliedAt !== undefined && scheduling?.follows === predecessor?.id
    if (scheduledAt === null) throw new Error('A schedule that follows no other one needs a time.')
    return isKept ? { scheduledAt, follows: predecessor?.id, predecessorAppliedAt: appliedAt } : { scheduledAt }
  }
  const time = minutesAfter === undefined || start === undefined ? scheduledAt : timeAfter(start, minutesAfter)
  if (time === null) throw new Error('The time of the predecessor is not known.')
  if (appliedAt !== undefined) return { scheduledAt: time, follows: after, predecessorAppliedAt: appliedAt }
  return { scheduledAt: time, follows: after, minutesAfter }
}

type Optional<Part> = { readonly [Name in keyof Part]: Part[Name] | undefined }

interface NewSchedule extends Pick<Scheduling, 'targets'>, Optional<Relation> {
  readonly scheduledAt: string
  /** When it was preset; absent if it was not. */
  readonly presetAt?: string
  /** With the option `logComments`; absent for none. */
  readonly comment?: string
}

export function setSchedule(
  current: ChangeRequest,
  attribution: Attribution,
  { scheduledAt, targets, follows, minutesAfter, predecessorAppliedAt, ...more }: NewSchedule,
): Decision {
  const { by, now } = attribution
  const planned = {
    ...withoutPreset(current),
    schedule: { scheduledAt, status: 'pending', reason: null },
    // Scheduled applies have no client IP.
    scheduling: {
      ...{ by: { ...by.author, ip: null }, targets },
      ...(follows !== undefined && { follows }),
      ...(minutesAfter !== undefined && { minutesAfter }),
      ...(predecessorAppliedAt !== undefined && { predecessorAppliedAt }),
    },
  } as const
  const type = 'change-request-scheduled'
  const changeRequest = enterState(planned, type, now)
  const data = { scheduledDate: scheduledAt, ...more }
  return { changeRequest, events: [changeRequestEvent(type, changeRequest, attribution, data)] }
}

/** Its predecessor has another time, and so has it. */
export function moveSchedule(current: ChangeRequest, scheduledAt: string): Decision {
  const schedule = { ...required(current.schedule, 'moved'), scheduledAt }
  const scheduling = withoutHold(required(current.scheduling, 'moved'))
  return { changeRequest: { ...current, schedule, scheduling }, events: [] }
}

/** Its predecessor was applied. If it runs some minutes later, its time is known now. */
export function continueSchedule(
  current: ChangeRequest,
  now: string,
  { appliedAt, targets }: { readonly appliedAt: string; readonly targets: Scheduling['targets'] },
): Decision {
  const { minutesAfter, ...rest } = required(current.scheduling, 'continued')
  const scheduling = { ...rest, targets, predecessorAppliedAt: appliedAt }
  if (minutesAfter === undefined) return { changeRequest: { ...current, scheduling }, events: [] }
  const schedule = { ...required(current.schedule, 'continued'), scheduledAt: timeAfter(appliedAt, minutesAfter) }
  const type = 'change-request-scheduled'
  const changeRequest = enterState({ ...current, schedule, scheduling: withoutHold(scheduling) }, type, now)
  const data = { scheduledDate: schedule.scheduledAt }
  return { changeRequest, events: [changeRequestEvent(type, changeRequest, { by: { author: rest.by }, now }, data)] }
}

/** With another time, nothing delays it yet. */
function withoutHold({ held: _, holdEndedAt: __, ...scheduling }: Scheduling): Scheduling {
  return scheduling
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

function required<Part>(part: Part | null | undefined, done: 'held' | 'suspended' | 'moved' | 'continued'): Part {
  if (part == null) throw new Error(`Only a scheduled change request can be ${done}.`)
  return part
}
