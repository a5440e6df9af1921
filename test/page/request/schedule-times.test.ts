import {
  choices,
  freezesAt,
  matchingFreezes,
  momentsOf,
  percentAt,
  timeSpan,
  toLocal,
  zoneWords,
} from '../../../src/page/app/screens/request/dialogs/schedule-times'

describe('the time of a schedule', () => {
  it('is the moment of the fields in the zone of the viewer', () => {
    const moment = new Date(2026, 10, 20, 7, 5)
    expect(toLocal(moment)).toEqual({ day: '2026-11-20', time: '07:05' })
    expect(momentsOf('2026-11-20', '07:05')).toEqual([moment])
  })

  it.each([
    ['', '07:00'],
    ['2026-11-20', ''],
    ['2026-13-40', '07:00'],
    ['20.11.2026', '07:00'],
  ])('is none for the fields %j and %j', (day, time) => {
    expect(momentsOf(day, time)).toEqual([])
  })

  it('is proposed only in the future', () => {
    const lateOnSunday = new Date(2026, 10, 22, 23, 0).getTime()
    expect(choices(lateOnSunday).map(({ label, at }) => [label, toLocal(at)])).toEqual([
      ['Tomorrow 07:00', { day: '2026-11-23', time: '07:00' }],
      ['Monday 09:00', { day: '2026-11-23', time: '09:00' }],
    ])
  })

  it('is proposed for the Monday of the next week on a Monday', () => {
    const monday = new Date(2026, 10, 23, 8, 0).getTime()
    expect(choices(monday).map(({ at }) => toLocal(at).day)).toEqual(['2026-11-23', '2026-11-24', '2026-11-30'])
  })

  it('names a zone once', () => {
    const inUtc = new Date().getTimezoneOffset() === 0
    expect(zoneWords('Europe/Oslo', new Date())).toMatch(/^Europe\/Oslo, UTC/)
    if (inUtc) expect(zoneWords('UTC', new Date())).toBe('UTC')
  })
})

const sale = {
  name: 'Sale',
  reason: 'Sales',
  from: '2026-11-27T00:00:00.000Z',
  until: '2026-12-01T00:00:00.000Z',
  when: null,
  scheduled: 'hold',
  mode: 'enforce',
} as const
const content = { features: [{ name: 'checkout' }], segments: [{ id: 4 }] }

describe('the freezes of a change request', () => {
  it.each([
    [null, 1],
    [{ environments: ['production'] }, 1],
    [{ features: ['check*'] }, 1],
    [{ features: ['*out'] }, 1],
    [{ features: ['check.*'] }, 0],
    [{ features: ['search'] }, 0],
    [{ segments: [4] }, 1],
    [{ segments: [5] }, 0],
    [{ features: ['search'], segments: true as const }, 1],
  ])('with the condition %j match: %d', (when, count) => {
    expect(matchingFreezes([{ ...sale, when }], content)).toHaveLength(count)
  })

  it('are in force from their start until their end', () => {
    const inForce = (time: string, until: string | null = sale.until) =>
      freezesAt([{ ...sale, until }], new Date(time)).length
    const times = ['2026-11-26T23:59:59.999Z', sale.from, '2026-11-30T23:59:59.999Z', sale.until]
    expect(times.map((time) => inForce(time))).toEqual([0, 1, 1, 0])
    expect(inForce('2999-01-01T00:00:00Z', null)).toBe(1)
  })

  it('on trial do not block', () => {
    expect(freezesAt([{ ...sale, mode: 'trial' }], new Date(sale.from))).toEqual([])
  })
})

const dayOf = (day: number, hour = 0) => new Date(2026, 10, day, hour)

describe('the days of a time line', () => {
  it.each([
    ['a week from today', null, 27],
    ['a week for an earlier time', dayOf(22, 9), 27],
    ['up to the end of the chosen day', dayOf(30, 9), 31],
    ['the day that begins at the chosen time', dayOf(27), 28],
  ])('are %s', (_, moment, last) => {
    expect(timeSpan(dayOf(20, 10).getTime(), moment)).toEqual({ from: dayOf(20).getTime(), to: dayOf(last).getTime() })
  })

  it('have positions in percent, from 0 to 100', () => {
    const span = timeSpan(dayOf(20, 10).getTime(), null)
    const positions = [dayOf(19), dayOf(20), dayOf(23, 12), dayOf(27), dayOf(28)].map((moment) =>
      percentAt(span, moment.getTime()),
    )
    expect(positions).toEqual([0, 0, 50, 100, 100])
  })
})
