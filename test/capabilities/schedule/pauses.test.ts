import { Pauses } from '../../../src/capabilities/schedule/pauses'

describe('the pauses between attempts', () => {
  // The longest that chance allows.
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(1))
  afterEach(() => jest.restoreAllMocks())

  it('grow up to half a minute, separately for each key', () => {
    const pauses = new Pauses<number>()
    expect(Array.from({ length: 7 }, () => pauses.extend(1))).toEqual([1, 2, 4, 8, 16, 30, 30].map((s) => s * 1_000))
    expect(pauses.extend(2)).toBe(1_000)
  })

  it('are short again after a success', () => {
    const pauses = new Pauses<number>()
    pauses.extend(1)
    expect([pauses.isPaused(1), pauses.isPaused(2)]).toEqual([true, false])
    pauses.end(1)
    expect([pauses.isPaused(1), pauses.extend(1)]).toEqual([false, 1_000])
  })

  it('all end when a run is requested', () => {
    const pauses = new Pauses<number>()
    pauses.extend(1)
    pauses.endAll()
    expect(pauses.isPaused(1)).toBe(false)
  })
})
