import fc from 'fast-check'
import { dayIn } from '../../../src/page/app/core/tools/local-time'
import { withDays } from '../../../src/page/app/screens/log/search/filter'
import { periodsOf } from '../../../src/page/app/screens/log/search/periods'
import { spanOf } from '../../../src/page/app/screens/log/search/zone'
import { random } from '../../support/random'

describe('the periods of the log', () => {
  const daysOf = (today: string) => periodsOf(today).map(({ first, last }) => `${first} ${last}`)

  it.each([
    ['2026-11-18', '2026-11-01 2026-11-30', '2026-10-01 2026-10-31', '2026-10-01 2026-12-31'],
    ['2026-01-31', '2026-01-01 2026-01-31', '2025-12-01 2025-12-31', '2026-01-01 2026-03-31'],
    ['2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28', '2026-01-01 2026-03-31'],
    ['2028-03-01', '2028-03-01 2028-03-31', '2028-02-01 2028-02-29', '2028-01-01 2028-03-31'],
    ['2026-12-31', '2026-12-01 2026-12-31', '2026-11-01 2026-11-30', '2026-10-01 2026-12-31'],
  ])('of %s are whole months and a whole quarter', (today, ...expected) => {
    expect(daysOf(today)).toEqual(expected)
  })

  it.each([
    'UTC',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'America/Los_Angeles',
    'Europe/Oslo',
    'Asia/Kolkata',
    'Africa/Cairo',
  ])('contain the current moment in %s, and follow each other without a gap', (zone) => {
    const moments = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) })
    const holds = (now: number) => {
      const spans = periodsOf(dayIn(zone, now)).map(({ first, last }) =>
        spanOf(withDays({ values: {} }, first, last, zone)),
      )
      const [month, last, quarter] = spans
      for (const span of [month, quarter]) {
        expect(now).toBeGreaterThanOrEqual(span?.from ?? Number.NaN)
        expect(now).toBeLessThan(span?.to ?? Number.NaN)
      }
      expect(last?.to).toBe(month?.from)
      for (const { from } of spans) {
        expect(dayIn(zone, from)).toMatch(/-01$/)
        expect(dayIn(zone, from - 1).slice(0, 7)).not.toBe(dayIn(zone, from).slice(0, 7))
      }
    }
    fc.assert(fc.property(moments, holds), random(25))
  })
})
