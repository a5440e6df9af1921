import { approve, cancel, reject, submit } from '../../domain/decisions/review'
import type { State } from '../../domain/lifecycle'
import { wrongState } from '../../domain/steps/state-rules'
import { requireRevision, stepError } from '../../domain/steps/steps'
import { commentLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performSchedulingStep, performStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { apply } from '../apply/apply'
import { schedule } from '../schedule/schedule'

export interface StateChange extends Caller, Reference {
  readonly state: State
  /** Trimmed; null for none and for a blank one. */
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** The id of the change request that the schedule follows. */
  readonly after?: number | undefined
  /** How many minutes after that one it is applied, in place of a time. */
  readonly minutesAfter?: number | undefined
  /** The digest that the caller decides on; null if the body has none. */
  readonly digest: string | null
  /** Why it is applied before its approval; null for anything else. */
  readonly reason?: string | null
}

export function changeState(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  const { comment } = input
  switch (input.state) {
    case 'Draft':
      return rejectState(services, input)
    case 'In review':
      return performStep(services, 'submit', input, (current, command) => submit(current, { ...command, comment }))
    case 'Approved':
      return sendApproval(services, input)
    case 'Scheduled':
      return schedule(services, input)
    case 'Applied':
      return apply(services, input)
    case 'Rejected':
      // Like an approval, it counts only for that content.
      return performStep(services, 'reject', input, (current, command) => reject(current, { ...command, comment }))
    case 'Cancelled':
      return performStep(services, 'cancel', input, (current, command) => cancel(current, { ...command, comment }))
  }
}

/** An approval counts only for the content that was stored when the request arrived (contract 6.3). */
function sendApproval(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  const { comment } = input
  const commentLimits = commentLimitsOf(services.options.limits)
  return performSchedulingStep(services, 'approve', input, (current, command) =>
    approve(current, { ...command, comment, commentLimits }),
  )
}

/** No step leads to this state: 409. Permission and revision are checked first, as for a comment (contract 11.4). */
function rejectState(services: Services, input: StateChange): Promise<never> {
  return performStep(services, 'comment', input, (current, { facts }) => {
    requireRevision('comment', current, facts)
    throw stepError(wrongState(`A change request in the state ${current.state} cannot become ${input.state}.`))
  }) as Promise<never>
}
