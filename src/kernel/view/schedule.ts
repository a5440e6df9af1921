import type { Schedule } from '../../domain/change-request'
import type { Freeze } from '../../domain/freezes/freeze'
import type { FreezeView, ScheduleView } from '../../generated'

export function toScheduleView(schedule: Schedule | null): ScheduleView {
  if (schedule === null) throw new Error('A scheduled change request has no schedule.')
  const { scheduledAt, status, reason } = schedule
  if (status === 'pending') return { scheduledAt, status }
  const why = reason ?? ''
  return status === 'failed'
    ? { scheduledAt, status, reason: why, failureReason: why }
    : { scheduledAt, status, reason: why }
}

export function toFreezeView({ name, reason, from, until, when, scheduled = 'hold' }: Freeze): FreezeView {
  return { name, reason, from, until: until ?? null, when: (when ?? null) as FreezeView['when'], scheduled }
}
