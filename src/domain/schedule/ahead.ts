import type { ChangeRequest, Person, ScheduleAhead, WithdrawnSchedule } from '../change-request'
import { instantOf } from '../instants'

/** The schedule ahead that is still in force; undefined for none. */
export function pendingAhead(
  { scheduledAhead }: Pick<ChangeRequest, 'scheduledAhead'>,
  now: string,
): ScheduleAhead | undefined {
  return scheduledAhead !== undefined && endOf(scheduledAhead, now) === null ? scheduledAhead : undefined
}

/** Why and when a schedule ahead ended; null while it is in force. That it expires is not stored. */
export function endOf({ withdrawn, expiresAt }: ScheduleAhead, now: string): WithdrawnSchedule | null {
  if (withdrawn !== undefined) return withdrawn
  return instantOf(expiresAt) <= instantOf(now) ? { by: null, at: expiresAt, cause: 'expired' } : null
}

/** Ends a schedule ahead that is in force. It stays readable. */
export function endAhead(
  current: ChangeRequest,
  at: string,
  cause: Exclude<WithdrawnSchedule['cause'], 'expired'>,
  by: Person | null,
): ChangeRequest {
  const ahead = pendingAhead(current, at)
  return ahead === undefined ? current : { ...current, scheduledAhead: { ...ahead, withdrawn: { by, at, cause } } }
}

/** Removes a schedule ahead, for a change request that is scheduled or applied. */
export function withoutAhead(current: ChangeRequest): ChangeRequest {
  const { scheduledAhead: _, ...others } = current
  return others
}

/**
 * False if the schedule ahead was set, changed or withdrawn between two reads. True after it scheduled the change request: the
 * new state decides then.
 */
export function hasSameAhead(before: ChangeRequest, after: ChangeRequest): boolean {
  const [one, other] = [before.scheduledAhead, after.scheduledAhead]
  if (other === undefined) return one === undefined || after.state !== before.state
  return (
    one?.at === other.at &&
    one.scheduledAt === other.scheduledAt &&
    one.by.person.id === other.by.person.id &&
    one.withdrawn?.at === other.withdrawn?.at
  )
}
