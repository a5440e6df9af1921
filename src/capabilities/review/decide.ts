import { approve, cancel, reject, submit } from '../../domain/decisions/review'
import type { State } from '../../domain/lifecycle'
import { commentLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller } from '../../kernel/step/step-input'
import type { Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface StateChange<Target extends State = State> extends Caller, Reference {
  readonly state: Target
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** The digest that the caller decides on; null if the body has none. */
  readonly digest: string | null
  /** Why it is applied before its approval; null for anything else. */
  readonly reason?: string | null
}

/** The states that a decision of a user leads to without a schedule and without the flags. */
export type DecidedState = Exclude<State, 'Draft' | 'Scheduled' | 'Applied'>

/** Moves a change request to a state that needs nothing but the decision. */
export function decide(services: Services, input: StateChange<DecidedState>): Promise<StoredChangeRequest> {
  switch (input.state) {
    case 'In review':
      return sendToReview(services, input)
    case 'Approved':
      return sendApproval(services, input)
    case 'Rejected':
      return sendRejection(services, input)
    case 'Cancelled':
      return close(services, input)
  }
}

function sendToReview(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return performStep(services, 'submit', input, (current, command) =>
    submit(current, { ...command, comment: input.comment }),
  )
}

/** An approval counts only for the content that was stored when the request arrived (contract 6.3). */
async function sendApproval(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  const { comment } = input
  const commentLimits = commentLimitsOf(services.options.limits)
  const stored = await performStep(services, 'approve', input, (current, command) =>
    approve(current, { ...command, comment, commentLimits }),
  )
  if (stored.changeRequest.state === 'Scheduled') services.onScheduled?.()
  return stored
}

/** Like an approval, a rejection counts only for that content. It needs the gateway only to compare a digest. */
function sendRejection(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return performStep(services, 'reject', { ...input, flagsAreOptional: input.digest === null }, (current, command) =>
    reject(current, { ...command, comment: input.comment }),
  )
}

function close(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  return performStep(services, 'cancel', { ...input, flagsAreOptional: true }, (current, command) =>
    cancel(current, { ...command, comment: input.comment }),
  )
}
