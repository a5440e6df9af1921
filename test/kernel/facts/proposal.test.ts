import { createFixture, rejection } from '../support/fixture'

describe('a proposal whose flags throw while they are checked', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'connection lost'],
    ['an error', new Error('connection lost')],
  ])('is not stored if they throw %s', async (_, thrown) => {
    const flags = {
      current: () => ({
        get features(): never {
          throw thrown
        },
        segments: new Map(),
      }),
      apply: () => [],
    }
    const { propose, stored } = createFixture({ flags: flags as never })
    const error = await rejection(propose('ann'))
    expect([error.name, error.cause]).toEqual(['UnknownError', thrown])
    expect(await stored()).toBeUndefined()
  })
})
