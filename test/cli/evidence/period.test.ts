import { clockOf, isWithin, mondayOf, toPeriod, weeksOf } from '../../../src/cli/api/evidence/period'

const hours = ({ start, end }: { readonly start: string; readonly end: string }) =>
  (Date.parse(end) - Date.parse(start)) / 3_600_000

describe('a period of whole days', () => {
  it.each([
    ['UTC', '2026-07-01', '2026-07-01', '2026-07-01T00:00:00.000Z', 24],
    ['Europe/Berlin', '2026-07-01', '2026-09-30', '2026-06-30T22:00:00.000Z', 92 * 24],
    // Clocks are put forward at 2:00.
    ['Europe/Berlin', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Pacific/Auckland', '2026-09-27', '2026-09-27', '2026-09-26T12:00:00.000Z', 23],
    ['Pacific/Auckland', '2026-04-05', '2026-04-05', '2026-04-04T11:00:00.000Z', 25],
    ['Pacific/Auckland', '2026-07-01', '2026-07-01', '2026-06-30T12:00:00.000Z', 24],
    ['America/Los_Angeles', '2026-03-08', '2026-03-08', '2026-03-08T08:00:00.000Z', 23],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01', '2026-11-01T07:00:00.000Z', 25],
    ['America/Los_Angeles', '2026-12-31', '2026-12-31', '2026-12-31T08:00:00.000Z', 24],
    // It has no midnight: the day begins at 1:00.
    ['America/Santiago', '2026-09-06', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
    ['Asia/Kathmandu', '2026-07-01', '2026-07-01', '2026-06-30T18:15:00.000Z', 24],
  ])('in %s, %s to %s begins at %s and has %s of 24 hours', (zone, from, to, start, length) => {
    const period = toPeriod(from, to, zone)
    expect([period.start, hours(period)]).toEqual([start, length])
  })

  it('has its first instant, and not the first one after it', () => {
    const period = toPeriod('2026-07-01', '2026-07-01', 'America/Los_Angeles')
    const around = ['2026-07-01T06:59:59.999Z', period.start, '2026-07-02T06:59:59.999Z', period.end]
    expect(around.map((instant) => isWithin(period, instant))).toEqual([false, true, true, false])
  })

  it.each([
    ['2026-02-30', '2026-03-01', 'UTC', '--from must be a date such as 2026-07-01.'],
    ['2026-3-1', '2026-03-01', 'UTC', '--from must be a date such as 2026-07-01.'],
    ['2026-03-01', 'today', 'UTC', '--to must be a date such as 2026-07-01.'],
    ['2026-03-02', '2026-03-01', 'UTC', '--to must not be before --from.'],
    ['2026-03-01', '2026-03-01', 'Berlin', '--zone must be the name of a time zone such as Europe/Berlin, not Berlin.'],
  ])('%s to %s in %s is rejected', (from, to, zone, message) => {
    expect(() => toPeriod(from, to, zone)).toThrow(message)
  })

  it('has the weeks that it touches, from Monday on', () => {
    expect(weeksOf({ from: '2026-07-01', to: '2026-07-13' })).toEqual(['2026-06-29', '2026-07-06', '2026-07-13'])
    expect(['2026-06-28', '2026-06-29', '2026-07-05'].map(mondayOf)).toEqual(['2026-06-22', '2026-06-29', '2026-06-29'])
  })

  it('shows times as the clocks of the zone do', () => {
    const instant = '2026-10-25T01:30:00.000Z'
    expect(clockOf('Europe/Berlin').time(instant)).toBe('2026-10-25 02:30:00')
    expect(clockOf('Pacific/Auckland').day(instant)).toBe('2026-10-25')
    expect(clockOf('America/Los_Angeles').time('2026-01-01T07:59:59.999Z')).toBe('2025-12-31 23:59:59')
  })
})
