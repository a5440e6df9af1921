import type { Author, ChangeRequest } from '../change-request'
import { canScheduleAt, instantOf, lastInstant } from '../instants'
import { reasonOf } from '../schedule/obstacles'
import { endPreset, pendingPreset } from '../schedule/preset'
import { type Facts, type PresetFacts, wellFormedCall } from '../steps/facts'
import { checksMissing } from '../steps/report-rules'
import { isApproved, isReady } from '../steps/requirements'
import { allMissingFor, type RuleFactsOf, requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { setSchedule, suspend } from './schedule'

export interface PresetScheduleCommand extends StepCommand<'presetSchedule'> {
  /** UTC, ISO 8601 with milliseconds. Null for the moment of the approval. */
  readonly scheduledAt: string | null
  readonly expireAfterMs: number
}

/** The last approval or report puts it into effect, and an approved one is scheduled now. No event is written (contract 25.2). */
export function presetSchedule(current: ChangeRequest, command: PresetScheduleCommand): Decision {
  const { by, now, facts, scheduledAt, expireAfterMs } = command
  const ready = current.state === 'Approved' && isReady(current, facts)
  const at = scheduledAt ?? (ready ? now : null)
  requireStep('presetSchedule', current, facts, { at, waits: scheduledAt === null })
  if (ready) return setSchedule(current, command, { scheduledAt: scheduledAt ?? now, targets: facts.targets })
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

type PresetScheduleFacts = Omit<RuleFactsOf<'schedulePreset'>, keyof PresetFacts> & Pick<Facts, 'preset' | 'checks'>

/**
 * Schedules an Approved change request in the name of the user who preset the schedule, unless it waits for a check. A schedule
 * that can no longer be met is suspended (contract 25.2).
 */
export function schedulePreset(current: ChangeRequest, now: string, facts: PresetScheduleFacts): Decision {
  const unchanged = { changeRequest: current, events: [] }
  const preset = pendingPreset(current, now)
  if (preset === undefined || current.state !== 'Approved' || !isApproved(current, facts)) return unchanged
  if (facts.preset === undefined) throw new Error('The facts about the preset schedule were not gathered.')
  const { personGone, targets } = facts.preset
  if (personGone) return { changeRequest: endPreset(current, now, 'person-gone', null), events: [] }
  const scheduledAt = preset.scheduledAt ?? now
  const call = { ...wellFormedCall, at: scheduledAt, waits: true }
  const isLate = !canScheduleAt(scheduledAt, new Date(now))
  const obstacles = isLate ? [] : allMissingFor('schedulePreset', current, { ...facts, ...facts.preset }, call)
  const checks = checksMissing(current, facts)
  if (!isLate && obstacles.length === 0 && checks.length > 0) return unchanged
  const missing = isLate
    ? ['The scheduled time passed before the change request was ready.']
    : [...obstacles, ...checks].map(({ message }) => message)
  const attribution = { by: { author: preset.by }, now }
  const scheduled = setSchedule(current, attribution, { scheduledAt, targets, presetAt: preset.at })
  if (missing.length === 0) return scheduled
  const suspended = suspend(scheduled.changeRequest, now, reasonOf(missing))
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}
