import { age, ago, day, dayAndTime, until } from '../../../src/page/app/core/tools/times'

const now = Date.parse('2026-11-20T12:00:00Z')
const before = (ms: number) => new Date(now - ms)
const [minute, hour, days] = [60_000, 3_600_000, 86_400_000]

describe('moments', () => {
  it.each([
    ['Europe/Oslo', 'Fri 20 Nov, 07:00'],
    ['UTC', 'Fri 20 Nov, 06:00'],
    ['America/New_York', 'Fri 20 Nov, 01:00'],
  ])('are written in %s', (zone, words) => {
    jest.useFakeTimers({ now, doNotFake: ['Intl' as never] })
    expect(dayAndTime('2026-11-20T06:00:00.000Z', zone)).toBe(words)
    jest.useRealTimers()
  })

  it('have the year if it is not the current one', () => {
    jest.useFakeTimers({ now, doNotFake: ['Intl' as never] })
    expect(day('2025-12-31T12:00:00Z', 'UTC')).toBe('Wed, 31 Dec 2025')
    jest.useRealTimers()
  })
})

describe('how long ago', () => {
  it.each([
    [0, 'now'],
    [59_999, 'now'],
    [minute, '1 min'],
    [59 * minute, '59 min'],
    [hour, '1 h'],
    [days, '1 d'],
    [40 * days, '40 d'],
    [-hour, 'now'],
  ])('%d ms is %s', (ms, words) => {
    expect(age(before(ms), now)).toBe(words)
  })

  it('is the date after a day', () => {
    expect(ago(before(23 * hour), now)).toBe('23 h ago')
    expect(ago(before(2 * days), now)).toMatch(/^Wed 18 Nov/)
  })
})

describe('how long until then', () => {
  it.each([
    [16 * hour + 28 * minute, '16 h 28 min'],
    [2 * days + 3 * hour + minute, '2 d 3 h'],
    [hour, '1 h'],
    [30_000, '1 min'],
    [-minute, '0 min'],
  ])('%d ms is %s', (ms, words) => {
    expect(until(now + ms, now)).toBe(words)
  })
})
