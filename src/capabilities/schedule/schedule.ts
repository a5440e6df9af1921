import {
  presetSchedule as decidePresetSchedule,
  withdrawPresetSchedule as decideWithdrawal,
} from '../../domain/decisions/preset-schedule'
import { schedule as decideSchedule } from '../../domain/decisions/schedule'
import { canScheduleAt } from '../../domain/instants'
import { ChangeRequestError } from '../../errors'
import { commentLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performSchedulingStep, performStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { followEach } from './follow'

interface ScheduleInput extends Caller, Reference {
  readonly comment: string | null
  /** The digest that the caller decides on; null if the body has none. */
  readonly digest: string | null
  readonly scheduledAt: string | null
  /** The id of the change request that it follows. */
  readonly after?: number | undefined
  /** How many minutes after that one it is applied, in place of a time. */
  readonly minutesAfter?: number | undefined
}

export async function schedule(services: Services, input: ScheduleInput): Promise<StoredChangeRequest> {
  warnIfOff(services)
  const { comment, after, minutesAfter } = input
  const scheduledAt = minutesAfter === undefined ? requireFuture(services, input.scheduledAt) : null
  const commentLimits = commentLimitsOf(services.options.limits)
  const stored = await performSchedulingStep(services, 'schedule', input, (current, command) =>
    decideSchedule(current, { ...command, comment, commentLimits, scheduledAt, after, minutesAfter }),
  )
  await followEach(services, stored.changeRequest).catch((err: unknown) => {
    // The log or the run finds them later.
    services.logger.warn({ err, id: stored.changeRequest.id }, 'The schedules that follow could not be moved yet.')
  })
  return stored
}

/**
 * Sets a schedule that the last approval puts into effect. An approved change request is scheduled immediately.
 * Without a time, it is applied at the moment of the approval.
 */
export async function presetSchedule(
  services: Services,
  input: Omit<ScheduleInput, 'comment'>,
): Promise<StoredChangeRequest> {
  warnIfOff(services)
  const scheduledAt = input.scheduledAt === null ? null : requireFuture(services, input.scheduledAt)
  const { after, minutesAfter } = input
  const { presetScheduleMs: expireAfterMs } = services.options.limits
  return performSchedulingStep(services, 'presetSchedule', input, (current, command) =>
    decidePresetSchedule(current, { ...command, scheduledAt, after, minutesAfter, expireAfterMs }),
  )
}

export function withdrawPresetSchedule(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  return performStep(services, 'withdrawPresetSchedule', input, decideWithdrawal)
}

/** Callers get 409; only the log reaches the developer of the host app. */
function warnIfOff({ options, warnOnce }: Services): void {
  if (options.schedule !== 'off') return
  const text =
    'A caller tried to schedule a change request. The response is 409, because the option schedule is "off", its default. ' +
    'Set it to "here", or to "elsewhere" if another process applies schedules: see docs/review.md#schedule-a-change.'
  warnOnce('schedule', text)
}

function requireFuture({ clock }: Services, scheduledAt: string | null): string {
  if (scheduledAt !== null && canScheduleAt(scheduledAt, clock())) return scheduledAt
  const message = 'The time has passed. Choose a time in the future, or apply the change request now.'
  throw new ChangeRequestError('BadDataError', 'The input is not valid; see details for what is wrong with it.', {
    details: [{ message, path: '/body/scheduledAt' }],
  })
}
