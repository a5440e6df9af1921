import type { Author, ChangeRequest } from '../change-request'
import { instantOf, lastInstant } from '../instants'
import { endAhead, pendingAhead } from '../schedule/ahead'
import { canScheduleAt } from '../schedule/clock'
import { reasonOf } from '../schedule/obstacles'
import { wellFormedCall } from '../steps/facts'
import { isApproved } from '../steps/requirements'
import { allMissingFor, type FactsOf, requireStep } from '../steps/steps'
import type { Decision, StepCommand } from './decision'
import { setSchedule, suspend } from './schedule'

/** The input of scheduling ahead. */
export interface ScheduleAheadCommand extends StepCommand<'scheduleAhead'> {
  /** UTC, ISO 8601 with milliseconds. Null for the moment of the approval. */
  readonly scheduledAt: string | null
  /** The time after which it has no effect. */
  readonly expireAfterMs: number
}

/**
 * Stores a schedule that the last approval puts into effect; no event is written (contract 25.2). An Approved change request
 * whose approvals count is scheduled immediately.
 */
export function scheduleAhead(current: ChangeRequest, command: ScheduleAheadCommand): Decision {
  const { by, now, facts, scheduledAt, expireAfterMs } = command
  const approved = current.state === 'Approved' && isApproved(current, facts)
  const at = scheduledAt ?? (approved ? now : null)
  requireStep('scheduleAhead', current, facts, { at, waits: scheduledAt === null })
  if (approved) return setSchedule(current, command, { scheduledAt: scheduledAt ?? now, targets: facts.targets })
  const pending = pendingAhead(current, now)
  const same = pending?.scheduledAt === scheduledAt && pending.by.person.id === by.author.person.id
  if (same) return { changeRequest: current, events: [] }
  const expiresAt = new Date(Math.min(instantOf(now) + expireAfterMs, lastInstant)).toISOString()
  const author: Author = { ...by.author, ip: null }
  return { changeRequest: { ...current, scheduledAhead: { scheduledAt, by: author, at: now, expiresAt } }, events: [] }
}

/** Ends a schedule ahead; no event is written. */
export function withdrawSchedule(current: ChangeRequest, command: StepCommand<'withdrawSchedule'>): Decision {
  const { by, now, facts } = command
  requireStep('withdrawSchedule', current, facts, {})
  return { changeRequest: endAhead(current, now, 'user', by.author.person), events: [] }
}

/**
 * Puts a schedule ahead into effect, in the name of the user who set it: the change request becomes Scheduled. If the schedule
 * can no longer be met, it is suspended immediately (contract 25.2).
 *
 * @param approved Approved, with all requirements met
 */
export function scheduleOnApproval(approved: ChangeRequest, now: string, facts: FactsOf<'approve'>): Decision {
  const ahead = pendingAhead(approved, now)
  if (ahead === undefined) return { changeRequest: approved, events: [] }
  if (facts.ahead === undefined) throw new Error('The facts about the schedule ahead were not gathered.')
  const { personGone, targets } = facts.ahead
  if (personGone) return { changeRequest: endAhead(approved, now, 'person-gone', null), events: [] }
  const scheduledAt = ahead.scheduledAt ?? now
  const missing = canScheduleAt(scheduledAt, new Date(now))
    ? missingOnApproval(approved, { ...facts, ...facts.ahead }, scheduledAt)
    : ['The scheduled time passed before the last approval.']
  const attribution = { by: { author: ahead.by }, now }
  const scheduled = setSchedule(approved, attribution, { scheduledAt, targets, scheduledAhead: ahead.at })
  if (missing.length === 0) return scheduled
  const suspended = suspend(scheduled.changeRequest, now, reasonOf(missing))
  return { changeRequest: suspended.changeRequest, events: [...scheduled.events, ...suspended.events] }
}

function missingOnApproval(
  approved: ChangeRequest,
  facts: FactsOf<'scheduleOnApproval'>,
  at: string,
): readonly string[] {
  const call = { ...wellFormedCall, at, waits: true }
  return allMissingFor('scheduleOnApproval', approved, facts, call).map(({ message }) => message)
}
