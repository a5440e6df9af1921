import type { Schedule } from '../../domain/change-request'
import type { ScheduleView } from '../../generated/index'

/** The schedule of a change request in the state Scheduled. */
export function toScheduleView(schedule: Schedule | null): ScheduleView {
  if (schedule === null) throw new Error('A scheduled change request has no schedule.')
  const { scheduledAt, status, reason } = schedule
  if (status === 'pending') return { scheduledAt, status }
  const why = reason ?? ''
  return status === 'failed'
    ? { scheduledAt, status, reason: why, failureReason: why }
    : { scheduledAt, status, reason: why }
}
