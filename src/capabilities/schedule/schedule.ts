import { schedule as decideSchedule } from '../../domain/decisions/schedule'
import { canScheduleAt } from '../../domain/schedule/clock'
import { ChangeRequestError } from '../../errors'
import { prospectOf } from '../../kernel/facts/prospect'
import { outlookFacts } from '../../kernel/facts/step-facts'
import { validateStored } from '../../kernel/facts/validate'
import { blindDecision } from '../../kernel/preconditions'
import { commentLimitsOf, type Services } from '../../kernel/services'
import { type Caller, writeExisting } from '../../kernel/steps'
import type { Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { targetDigests } from './targets'

interface ScheduleInput extends Caller, Reference {
  readonly comment: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
  /** In UTC. */
  readonly scheduledAt: string | null
}

/** -> Scheduled, or another time for what is Scheduled. */
export async function schedule(services: Services, input: ScheduleInput): Promise<StoredChangeRequest> {
  const scheduledAt = requireFuture(services, input.scheduledAt)
  const stored = await writeExisting(services, input, {
    ...input,
    step: 'schedule',
    gather: async ({ changeRequest }) => ({
      ...(await prospectOf(services, changeRequest)),
      invalid: await validateStored(services, input.actor, changeRequest, 'apply'),
    }),
    precondition: ({ outlook: { digest: present } }, sameContent, seenBefore) => {
      const revisionRequired = services.options.requireRevision
      return blindDecision({ ...input, present, sameContent, seenBefore, revisionRequired })
    },
    decide: ({ changeRequest }, occasion, { outlook, policy, invalid }) =>
      decideSchedule(changeRequest, {
        ...occasion,
        comment: input.comment,
        commentLimits: commentLimitsOf(services.options.limits),
        facts: { ...occasion.facts, ...outlookFacts(changeRequest, outlook, policy), invalid },
        scheduledAt,
        targets: targetDigests(changeRequest, outlook.before),
      }),
  })
  services.onScheduled?.()
  return stored
}

function requireFuture({ clock }: Services, scheduledAt: string | null): string {
  if (scheduledAt !== null && canScheduleAt(scheduledAt, clock())) return scheduledAt
  const message = 'The time has passed. Schedule the change request for a time to come, or apply it.'
  throw new ChangeRequestError('BadDataError', 'The input is not valid; see details for what is wrong with it.', {
    details: [{ message, path: '/body/scheduledAt' }],
  })
}
