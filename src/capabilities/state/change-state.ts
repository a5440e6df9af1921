import { wrongState } from '../../domain/steps/state-rules'
import { requireRevision, stepError } from '../../domain/steps/steps'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { apply } from '../apply/apply'
import { decide, type StateChange } from '../review/decide'
import { schedule } from '../schedule/schedule'

/** Moves a change request to another state (contract 6.2). */
export function changeState(services: Services, input: StateChange): Promise<StoredChangeRequest> {
  switch (input.state) {
    case 'Applied':
      return apply(services, input)
    case 'Scheduled':
      return schedule(services, input)
    case 'Draft':
      return rejectState(services, input)
    default:
      return decide(services, { ...input, state: input.state })
  }
}

/** No step leads to this state: 409. Permission and revision are checked first, as for a comment (contract 11.4). */
function rejectState(services: Services, input: StateChange): Promise<never> {
  return performStep(services, 'comment', input, (current, { facts }) => {
    requireRevision('comment', current, facts)
    throw stepError(wrongState(`A change request in the state ${current.state} cannot become ${input.state}.`))
  }) as Promise<never>
}
