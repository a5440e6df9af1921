import { RecentlyGated } from '../../../src/gate/review-required'

const production = { project: 'shop', environment: 'production' }

describe('RecentlyGated', () => {
  it('has an environment for less than a second after it was read', () => {
    let now = 0
    const places = new RecentlyGated(() => now)
    places.record(production, true)
    now = 999
    expect(places.has({ ...production })).toBe(true)
    expect(places.has({ ...production, environment: 'staging' })).toBe(false)
    now = 1_000
    expect(places.has(production)).toBe(false)
  })

  it('never has one that was disabled at the last read', () => {
    const places = new RecentlyGated()
    places.record(production, false)
    expect(places.has(production)).toBe(false)
    places.record(production, true)
    expect(places.has(production)).toBe(true)
    places.record(production, false)
    expect(places.has(production)).toBe(false)
  })

  it('never has a whole project', () => {
    const places = new RecentlyGated()
    places.record({ project: 'shop' }, true)
    expect(places.has({ project: 'shop' })).toBe(false)
  })

  it('has at most 1,000 environments', () => {
    const places = new RecentlyGated(() => 0)
    const names = Array.from({ length: 1_001 }, (_, n) => ({ project: 'shop', environment: `e${n}` }))
    for (const place of names) places.record(place, true)
    expect(names.filter((place) => places.has(place))).toEqual([names.at(-1)])
  })
})
