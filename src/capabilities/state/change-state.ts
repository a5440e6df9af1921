import { stateMissing } from '../../domain/steps/state-rules'
import { refusalFor } from '../../domain/steps/steps'
import { requirePerson } from '../../kernel/people/author'
import { requirePermission } from '../../kernel/permissions'
import { revisionMismatch } from '../../kernel/preconditions'
import type { Services } from '../../kernel/services'
import { findVisible } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { apply } from '../apply/apply'
import { close, type StateChange, sendToReview, vote } from '../review/decide'
import { schedule } from '../schedule/schedule'

/** Takes a change request to another state (contract 6.2). */
export function changeState(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  switch (input.state) {
    case 'In review':
      return sendToReview(services, input)
    case 'Approved':
    case 'Rejected':
      return vote(services, input, input.state)
    case 'Applied':
      return apply(services, input)
    case 'Cancelled':
      return close(services, input)
    case 'Draft':
      return refuse(services, input)
    case 'Scheduled':
      return schedule(services, input)
  }
}

/** No step leads to this state: 409 in the order of contract 11.4. */
async function refuse(services: Services, { actor, ip, ifMatch, state, ...reference }: StateChange): Promise<never> {
  const found = await findVisible(services, reference, actor)
  await requirePermission(services, actor, 'READ_CHANGE_REQUEST', found.changeRequest)
  requirePerson(actor, ip, services)
  const message = `A change request in the state ${found.changeRequest.state} cannot become ${state}.`
  throw revisionMismatch(ifMatch, found) ?? refusalFor(stateMissing(message))
}
