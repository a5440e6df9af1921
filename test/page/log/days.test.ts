import { addDays, isWeekend } from '../../../src/page/app/core/tools/local-time'
import { barHeight, dayWords, fillDays, scaleFor, windowOf } from '../../../src/page/app/screens/log/plot/days'

describe('days of the plot', () => {
  it('continue over the ends of months and years', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29'])
  })

  it('have the year if it is not the current one', () => {
    const today = '2026-11-19'
    expect(dayWords('2026-11-18', { today })).toBe('Wed 18 Nov')
    expect(dayWords('2025-11-18', { today, form: 'long' })).toBe('Tuesday, 18 November 2025')
  })

  it('mark weekends', () => {
    expect(['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'].map(isWeekend)).toEqual([false, true, true, false])
  })
})

describe('the window of the plot', () => {
  const today = '2026-11-19'

  it('ends today for the last 60 days', () => {
    const window = { first: '2026-09-21', last: today }
    expect([windowOf(today, today), windowOf('2026-09-21', today)]).toEqual([window, window])
  })

  it('is the previous one for the day before its first one', () => {
    expect(windowOf('2026-09-20', today)).toEqual({ first: '2026-07-23', last: '2026-09-20' })
  })

  it('has a count for each day, added up over projects', () => {
    const counted = [
      { date: '2026-11-17', total: 2 },
      { date: '2026-11-17', total: 3 },
    ]
    expect(fillDays({ first: '2026-11-16', last: '2026-11-18' }, counted).map(({ total }) => total)).toEqual([0, 5, 0])
  })
})

describe('the scale of the plot', () => {
  it.each([
    [0, [1]],
    [1, [1]],
    [7, [4, 8]],
    [4_812, [2_500, 5_000]],
    [10_000, [5_000, 10_000]],
  ])('for at most %d events has lines at %j', (most, lines) => {
    expect(scaleFor(most).lines).toEqual(lines)
  })

  it('shows a single event among many', () => {
    expect(barHeight(1, scaleFor(100_000), 88)).toBe(1.5)
  })
})
