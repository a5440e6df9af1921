import { phaseOf } from '../../../src/domain/lifecycle'
import { states } from '../../../src/generated/lists'
import { stateTraits } from '../../../src/page/app/parts/marks/state-traits'

describe('the phase of a state on the page', () => {
  it.each(states)('is that of the lifecycle: %s', (state) => {
    expect(['draft', 'review', 'approved', 'closed'][stateTraits[state].phase]).toBe(phaseOf(state))
  })
})
