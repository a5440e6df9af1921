import type { Services } from '../../kernel/services'
import type { StoredChangeRequest } from '../../ports/storage'
import { apply } from '../apply/apply'
import { close, returnToDraft, type StateChange, sendToReview, vote } from '../review/decide'
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
      return returnToDraft(services, input)
    case 'Scheduled':
      return schedule(services, input)
  }
}
