import type { Author, ChangeRequest } from '../change-request'
import { canScheduleAt, instantOf, lastInstant } from '../instants'
import { reasonOf } from '../schedule/obstacles'
import { endPreset, pendingPreset } from '../schedule/preset'
import { type Facts, wellFormedCall } from '../steps/facts'
import { objectionsMissing } from '../steps/objection-rules'
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
  const { personGone, targets } = facts.preset
  const scheduledAt = preset.scheduledAt ?? now
  const call = { ...wellFormedCall, at: scheduledAt, waits: true }
  const isLate = !canScheduleAt(scheduledAt, new Date(now))
  const obstacles = isLate
    ? [tooLate]
    : allMissingFor('scheduleOnceReady', current, { ...facts, ...facts.preset }, call)
  const awaited = [...checksMissing(current, facts.preset), ...objectionsMissing(current)]
  if (obstacles.length === 0 && awaited.length > 0) return unscheduled
  if (personGone) return { changeRequest: endPreset(current, now, 'person-gone', null), events: [] }
  const attribution = { by: { author: preset.by }, now }
  const scheduled = setSchedule(current, attribution, { scheduledAt, targets, presetAt: preset.at })
  if (obstacles.length === 0) return scheduled
  const reason = reasonOf((isLate ? obstacles : [...obstacles, ...awaited]).map(({ message }) => message))
  const suspended = suspend(scheduled.changeRequest, now, reason)
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}

const tooLate = { message: 'The scheduled time passed before the change request was ready.' }
