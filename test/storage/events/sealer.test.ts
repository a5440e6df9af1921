import { Sealer, type SealStatements } from '../../../src/storage/sql/event-index/sealer'
import { countTurns } from '../../support/event-loop'

const blockSize = 4

/** A log of which only the last id matters. */
function log(lastId: number) {
  const state = { sealedTo: -1, generation: 1, block: -1, fingerprint: '', firstId: 0, lastId }
  const statements: SealStatements = {
    logState: async () => ({ ...state }),
    indexedEvents: async () => [],
    seal: async ({ sealedTo }) => {
      state.sealedTo = sealedTo
    },
  }
  return { state, statements }
}

describe('the sealer', () => {
  it('adds a block that was completed after its last check', async () => {
    const { state, statements } = log(6)
    const sealer = new Sealer(statements, blockSize)
    const { logState } = statements
    let looks = 0
    statements.logState = async () => {
      const seen = await logState()
      looks += 1
      // Another write commits after the last check, while the sealer still runs.
      if (looks === 2) {
        state.lastId += blockSize
        sealer.appended(blockSize)
      }
      return seen
    }

    sealer.appended(1)
    await sealer.idle()

    expect(state.sealedTo).toBe(7)
  })

  it('yields to the event loop before each step of a block', async () => {
    const { statements } = log(2 * blockSize - 1)
    const { turns, stop } = countTurns()
    const steps: number[] = []
    const { indexedEvents, seal } = statements
    statements.indexedEvents = (...given) => {
      steps.push(turns())
      return indexedEvents(...given)
    }
    statements.seal = (given) => {
      steps.push(turns())
      return seal(given)
    }
    const sealer = new Sealer(statements, blockSize)

    sealer.appended(1)
    await sealer.idle()
    stop()

    // Two blocks. The postings are computed between reading and adding.
    expect(steps.slice(1).map((step, index) => step - (steps[index] ?? 0))).toEqual([2, 1, 2])
  })
})
