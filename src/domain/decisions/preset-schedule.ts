import type { Author, ChangeRequest } from '../change-request'
import { canScheduleAt, instantOf, lastInstant } from '../instants'
import { reasonOf } from '../schedule/obstacles'
import { endPreset, pendingPreset } from '../schedule/preset'
import { wellFormedCall } from '../steps/facts'
import { isApproved } from '../steps/requirements'
import { allMissingFor, type FactsOf, requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { setSchedule, suspend } from './schedule'

export interface PresetScheduleCommand extends StepCommand<'presetSchedule'> {
  /** UTC, ISO 8601 with milliseconds. Null for the moment of the approval. */
  readonly scheduledAt: string | null
  readonly expireAfterMs: number
}

/** The last approval puts it into effect, and an approved one is scheduled now. No event is written (contract 25.2). */
export function presetSchedule(current: ChangeRequest, command: PresetScheduleCommand): Decision {
  const { by, now, facts, scheduledAt, expireAfterMs } = command
  const approved = current.state === 'Approved' && isApproved(current, facts)
  const at = scheduledAt ?? (approved ? now : null)
  requireStep('presetSchedule', current, facts, { at, waits: scheduledAt === null })
  if (approved) return setSchedule(current, command, { scheduledAt: scheduledAt ?? now, targets: facts.targets })
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

/** In the name of the user who set it. A schedule that can no longer be met is suspended (contract 25.2). */
export function scheduleOnApproval(approved: ChangeRequest, now: string, facts: FactsOf<'approve'>): Decision {
  const preset = pendingPreset(approved, now)
  if (preset === undefined) return { changeRequest: approved, events: [] }
  if (facts.preset === undefined) throw new Error('The facts about the preset schedule were not gathered.')
  const { personGone, targets } = facts.preset
  if (personGone) return { changeRequest: endPreset(approved, now, 'person-gone', null), events: [] }
  const scheduledAt = preset.scheduledAt ?? now
  const call = { ...wellFormedCall, at: scheduledAt, waits: true }
  const missing = canScheduleAt(scheduledAt, new Date(now))
    ? allMissingFor('scheduleOnApproval', approved, { ...facts, ...facts.preset }, call).map(({ message }) => message)
    : ['The scheduled time passed before the last approval.']
  const attribution = { by: { author: preset.by }, now }
  const scheduled = setSchedule(approved, attribution, { scheduledAt, targets, presetAt: preset.at })
  if (missing.length === 0) return scheduled
  const suspended = suspend(scheduled.changeRequest, now, reasonOf(missing))
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}
