import { addDays, dayMs, startOf, toLocal } from '../../../src/page/app/core/tools/local-time'
import { momentsOf, offsetWords, percentAt, zoneWords } from '../../../src/page/app/core/tools/moments'

const minute = 60_000

/** The moments from which the clocks of a zone show another offset, in two years. */
function changesIn(zone: string): readonly number[] {
  const begin = Date.parse('2026-01-01T00:00Z')
  const changes: number[] = []
  for (let at = begin; at < begin + 730 * dayMs; at += dayMs) {
    let [before, since] = [at, at + dayMs]
    if (offsetWords(before, zone) === offsetWords(since, zone)) continue
    while (since - before > minute) {
      const middle = before + Math.floor((since - before) / 2 / minute) * minute
      if (offsetWords(middle, zone) === offsetWords(at, zone)) before = middle
      else since = middle
    }
    changes.push(since)
  }
  return changes
}

// One hour forward and back in both hemispheres, half an hour, two hours, at midnight, and a month between two changes.
const zones = [
  'Pacific/Auckland',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Cairo',
  'Africa/Casablanca',
]

describe('a time in the fields', () => {
  it('is one moment', () => {
    expect(toLocal('2026-11-20T06:05:59.999Z', 'Europe/Berlin')).toEqual({ day: '2026-11-20', time: '07:05' })
    const moments = momentsOf({ day: '2026-11-20', time: '07:05' }, 'Europe/Berlin')
    expect(moments).toEqual([new Date('2026-11-20T06:05:00.000Z')])
  })

  it.each([
    ['', '07:00'],
    ['2026-11-20', ''],
    ['2026-13-40', '07:00'],
    ['20.11.2026', '07:00'],
  ])('is no moment for the fields %j and %j', (day, time) => {
    expect(momentsOf({ day, time }, 'Europe/Berlin')).toEqual([])
  })

  it.each(zones)('is the moment that the clocks show, at each minute around the changes in %s', (zone) => {
    const changes = changesIn(zone)
    expect(changes.length).toBeGreaterThanOrEqual(4)
    let twice = 0
    for (const change of changes) {
      for (let at = change - 180 * minute; at <= change + 180 * minute; at += minute) {
        const local = toLocal(at, zone)
        const moments = momentsOf(local, zone)
        expect(moments.map(Number)).toContain(at)
        if (moments.length === 2) twice++
        // Each of them is shown as this time: two in the hour that occurs twice.
        expect(moments.map((moment) => toLocal(moment, zone))).toEqual(moments.map(() => local))
      }
    }
    expect(twice).toBeGreaterThan(0)
  })

  it.each(zones)(
    'that is skipped in %s means a moment before and one after, as far apart as the clocks move',
    (zone) => {
      const wall = (at: number) => {
        const { day, time } = toLocal(at, zone)
        return Date.parse(`${day}T${time}Z`)
      }
      let skipped = 0
      for (const change of changesIn(zone)) {
        const [last, next] = [wall(change - minute), wall(change)]
        for (let shown = last + minute; shown < next; shown += minute) {
          const [day = '', time = ''] = new Date(shown).toISOString().slice(0, 16).split('T')
          const [before = 0, after = 0, ...others] = momentsOf({ day, time }, zone).map(Number)
          expect(others).toEqual([])
          expect(before).toBeLessThan(change)
          expect(after).toBeGreaterThanOrEqual(change)
          expect(after - before).toBe(next - last - minute)
          skipped++
        }
      }
      expect(skipped).toBeGreaterThan(0)
    },
  )

  it.each([
    ['Pacific/Auckland', '2026-09-26', '2026-09-27T20:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28', '2026-03-30T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-10-31', '2026-11-02T17:00:00.000Z'],
  ])('of nine stays nine two days later in %s, across the change', (zone, day, moment) => {
    expect(momentsOf({ day: addDays(day, 2), time: '09:00' }, zone)).toEqual([new Date(moment)])
  })
})

describe('a day', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    // Without a midnight.
    ['Africa/Cairo', '2026-04-24', 23],
  ])('in %s, %s, has %d hours', (zone, day, hours) => {
    expect((startOf(addDays(day, 1), zone) - startOf(day, zone)) / 3_600_000).toBe(hours)
    expect(toLocal(startOf(day, zone) - 1, zone).day).toBe(addDays(day, -1))
    expect(toLocal(startOf(day, zone), zone).day).toBe(day)
  })
})

describe('a zone', () => {
  it.each([
    ['Europe/Oslo', '2026-11-20T06:00Z', 'Europe/Oslo, UTC+1'],
    ['Europe/Oslo', '2026-06-20T06:00Z', 'Europe/Oslo, UTC+2'],
    ['America/St_Johns', '2026-11-20T06:00Z', 'America/St_Johns, UTC−3:30'],
    ['UTC', '2026-11-20T06:00Z', 'UTC'],
  ])('%s is named with its offset, and once', (zone, moment, words) => {
    expect(zoneWords(moment, zone)).toBe(words)
  })
})

describe('a position on a time line', () => {
  it('is in percent, from 0 to 100', () => {
    const span = { from: 1000, to: 2000 }
    expect([0, 1000, 1500, 2000, 3000].map((moment) => percentAt(span, moment))).toEqual([0, 0, 50, 100, 100])
  })
})
