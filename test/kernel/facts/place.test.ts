import { placeOfStep } from '../../../src/kernel/facts/place'
import { actors, createFixture } from '../support/fixture'

describe('another open change request', () => {
  it.each([
    ['is the one of the caller there', 2, 1],
    // Its apply was interrupted and succeeded: it is Applied as soon as it is settled, but still stored as open.
    ['is not the change request itself', 1, undefined],
  ])('%s', async (_, id, otherOpen) => {
    const { services, propose } = createFixture()
    const { changeRequest } = await propose('ann')
    const settled = { ...changeRequest, id, state: 'Applied' } as const
    const facts = await placeOfStep({ services, actor: actors.ann, changeRequest: settled } as never)
    expect(facts.otherOpen).toBe(otherOpen)
  })
})
