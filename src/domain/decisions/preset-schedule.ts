import type { Author, ChangeRequest, PresetSchedule } from '../change-request'
import { canScheduleAt, instantOf, lastInstant } from '../instants'
import { reasonOf } from '../schedule/obstacles'
import { endPreset, pendingPreset } from '../schedule/preset'
import { type Facts, wellFormedCall } from '../steps/facts'
import { objectionsMissing } from '../steps/objection-rules'
import { checksMissing } from '../steps/report-rules'
import { isApproved, isReadyToSchedule } from '../steps/requirements'
import { allMissingFor, requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { type ScheduleTime, setSchedule, suspend, timed } from './schedule'

/** Without a time, and without `minutesAfter`, it is for the moment of the approval. */
export interface PresetScheduleCommand extends StepCommand<'presetSchedule'>, ScheduleTime {
  readonly expireAfterMs: number
}

/** Takes effect once nothing is missing but the time, which may be now. No event is written (contract 25.2). */
export function presetSchedule(current: ChangeRequest, command: PresetScheduleCommand): Decision {
  const { by, now, facts, scheduledAt, after, minutesAfter, expireAfterMs } = command
  const isReady = isReadyToSchedule(current, facts)
  const onApproval = scheduledAt === null && minutesAfter === undefined
  const at = onApproval && isReady ? now : scheduledAt
  requireStep('presetSchedule', current, facts, { at, waits: onApproval, follows: after !== undefined })
  const time = onApproval ? { scheduledAt: now } : timed(current, command, facts.predecessor)
  if (isReady) return setSchedule(current, command, { ...time, targets: facts.targets })
  const preset = {
    scheduledAt: onApproval ? null : time.scheduledAt,
    ...(after !== undefined && { after }),
    ...(minutesAfter !== undefined && { minutesAfter }),
  }
  if (isSamePreset(pendingPreset(current, now), preset, by.author)) return { changeRequest: current, events: [] }
  const expiresAt = new Date(Math.min(instantOf(now) + expireAfterMs, lastInstant)).toISOString()
  const author: Author = { ...by.author, ip: null }
  return { changeRequest: { ...current, presetSchedule: { ...preset, by: author, at: now, expiresAt } }, events: [] }
}

function isSamePreset(
  pending: PresetSchedule | undefined,
  { scheduledAt, after, minutesAfter }: Pick<PresetSchedule, 'scheduledAt' | 'after' | 'minutesAfter'>,
  { person }: Author,
): boolean {
  if (pending?.by.person.id !== person.id || pending.after !== after || pending.minutesAfter !== minutesAfter)
    return false
  return minutesAfter !== undefined || pending.scheduledAt === scheduledAt
}

export function withdrawPresetSchedule(
  current: ChangeRequest,
  command: StepCommand<'withdrawPresetSchedule'>,
): Decision {
  const { by, now, facts } = command
  requireStep('withdrawPresetSchedule', current, facts, {})
  return { changeRequest: endPreset(current, now, 'user', by.author.person), events: [] }
}

/**
 * By its preset schedule, in the name of the user who set it. It waits for approvals, and while only checks are missing or
 * objections are open. A schedule that can no longer be met is suspended, with all that is missing (contract 25.2).
 */
export function scheduleOnceReady(
  current: ChangeRequest,
  now: string,
  facts: Pick<Facts, 'preset' | 'options' | 'expiry'>,
): Decision {
  const unscheduled = { changeRequest: current, events: [] }
  const preset = pendingPreset(current, now)
  if (preset === undefined || current.state !== 'Approved') return unscheduled
  if (facts.preset === undefined) throw new Error('The facts about the preset schedule were not gathered.')
  if (!isApproved(current, { ...facts.preset, expiry: facts.expiry })) return unscheduled
  const { personGone, targets, predecessor } = facts.preset
  const time = timed(current, { ...preset, scheduledAt: preset.scheduledAt ?? now }, predecessor)
  // Until its predecessor is applied, it has no time of its own.
  const at = time.minutesAfter === undefined ? time.scheduledAt : null
  const call = { ...wellFormedCall, at, waits: true, follows: preset.after !== undefined }
  const isLate = at !== null && !canScheduleAt(at, new Date(now))
  const obstacles = isLate
    ? [tooLate]
    : allMissingFor('scheduleOnceReady', current, { ...facts, ...facts.preset }, call)
  const awaited = [...checksMissing(current, facts.preset), ...objectionsMissing(current)]
  if (obstacles.length === 0 && awaited.length > 0) return unscheduled
  if (personGone) return { changeRequest: endPreset(current, now, 'person-gone', null), events: [] }
  const attribution = { by: { author: preset.by }, now }
  const scheduled = setSchedule(current, attribution, { ...time, targets, presetAt: preset.at })
  if (obstacles.length === 0) return scheduled
  const reason = reasonOf((isLate ? obstacles : [...obstacles, ...awaited]).map(({ message }) => message))
  const suspended = suspend(scheduled.changeRequest, now, reason)
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}

const tooLate = { message: 'The scheduled time passed before the change request was ready.' }
