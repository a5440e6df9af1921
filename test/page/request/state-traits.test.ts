import { isOpen, phaseOf } from '../../../src/domain/lifecycle'
import { states } from '../../../src/generated/lists'
import { stateTraits } from '../../../src/page/app/parts/marks/state-traits'

describe('the traits of a state on the page', () => {
  it.each(states)('are those of the lifecycle: %s', (state) => {
    const { phase, takesChanges } = stateTraits[state]
    expect({ phase, takesChanges }).toEqual({ phase: phaseOf(state), takesChanges: isOpen(state) })
  })
})
