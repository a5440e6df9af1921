import type { Author, ChangeRequest } from '../change-request'
import { openObjections } from '../content/objections'
import { canScheduleAt, instantOf, lastInstant } from '../instants'
import { reasonOf } from '../schedule/obstacles'
import { endPreset, pendingPreset } from '../schedule/preset'
import { type Facts, wellFormedCall } from '../steps/facts'
import { checksMissing } from '../steps/report-rules'
import { isApproved, isReadyToSchedule } from '../steps/requirements'
import { allMissingFor, requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { setSchedule, suspend } from './schedule'

export interface PresetScheduleCommand extends StepCommand<'presetSchedule'> {
  /** UTC, ISO 8601 with milliseconds. Null for the moment of the approval. */
  readonly scheduledAt: string | null
  readonly expireAfterMs: number
}

/** Takes effect once nothing is missing but the time, which may be now. No event is written (contract 25.2). */
export function presetSchedule(current: ChangeRequest, command: PresetScheduleCommand): Decision {
  const { by, now, facts, scheduledAt, expireAfterMs } = command
  const isReady = isReadyToSchedule(current, facts)
  const at = scheduledAt ?? (isReady ? now : null)
  requireStep('presetSchedule', current, facts, { at, waits: scheduledAt === null })
  if (isReady) return setSchedule(current, command, { scheduledAt: scheduledAt ?? now, targets: facts.targets })
  const pending = pendingPreset(current, now)
  const same = pending?.scheduledAt === scheduledAt && pending.by.person.id === by.author.person.id
  if (same) return { changeRequest: current, events: [] }
  const expiresAt = new Date(Math.min(instantOf(now) + expireAfterMs, lastInstant)).toISOString()
  const author: Author = { ...by.author, ip: null }
  return { changeRequest: { ...current, presetSchedule: { scheduledAt, by: author, at: now, expiresAt } }, events: [] }
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
 * By its preset schedule, once it waits for nothing any more: after the last approval, after the last check passed, and at the end
 * of the last objection. In the name of the user who set it. A schedule that can no longer be met is suspended (contract 25.2).
 */
export function scheduleOnceReady(
  current: ChangeRequest,
  now: string,
  facts: Pick<Facts, 'preset' | 'options' | 'expiry'>,
): Decision {
  const unscheduled = { changeRequest: current, events: [] }
  const preset = pendingPreset(current, now)
  if (preset === undefined || current.state !== 'Approved' || openObjections(current).length > 0) return unscheduled
  if (facts.preset === undefined) throw new Error('The facts about the preset schedule were not gathered.')
  if (!isApproved(current, { ...facts.preset, expiry: facts.expiry })) return unscheduled
  const { personGone, targets } = facts.preset
  if (personGone) return { changeRequest: endPreset(current, now, 'person-gone', null), events: [] }
  const scheduledAt = preset.scheduledAt ?? now
  const call = { ...wellFormedCall, at: scheduledAt, waits: true }
  const isLate = !canScheduleAt(scheduledAt, new Date(now))
  const known = { ...facts, ...facts.preset }
  const obstacles = isLate ? [] : allMissingFor('scheduleOnceReady', current, known, call)
  const checks = checksMissing(current, facts.preset)
  if (!isLate && obstacles.length === 0 && checks.length > 0) return unscheduled
  const missing = isLate
    ? ['The scheduled time passed before the change request was ready.']
    : [...obstacles, ...checks].map(({ message }) => message)
  const attribution = { by: { author: preset.by }, now }
  const scheduled = setSchedule(current, attribution, { scheduledAt, targets, presetAt: preset.at })
  if (missing.length === 0) return scheduled
  const suspended = suspend(scheduled.changeRequest, now, reasonOf(missing))
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}
