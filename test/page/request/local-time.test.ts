import { choices, momentsOf, toLocal, zoneWords } from '../../../src/page/app/screens/request/dialogs/local-time'

describe('the time of a schedule', () => {
  it('is the moment that the fields name in the zone of the viewer', () => {
    const moment = new Date(2026, 10, 20, 7, 5)
    expect(toLocal(moment)).toEqual({ day: '2026-11-20', time: '07:05' })
    expect(momentsOf('2026-11-20', '07:05')).toEqual([moment])
  })

  it.each([
    ['', '07:00'],
    ['2026-11-20', ''],
    ['2026-13-40', '07:00'],
    ['20.11.2026', '07:00'],
  ])('is none while the fields say %j and %j', (day, time) => {
    expect(momentsOf(day, time)).toEqual([])
  })

  it('is proposed ahead of now alone', () => {
    const lateOnSunday = new Date(2026, 10, 22, 23, 0).getTime()
    expect(choices(lateOnSunday).map(({ label, at }) => [label, toLocal(at)])).toEqual([
      ['Tomorrow 07:00', { day: '2026-11-23', time: '07:00' }],
      ['Monday 09:00', { day: '2026-11-23', time: '09:00' }],
    ])
  })

  it('has the Monday of the next week on a Monday', () => {
    const monday = new Date(2026, 10, 23, 8, 0).getTime()
    expect(choices(monday).map(({ at }) => toLocal(at).day)).toEqual(['2026-11-23', '2026-11-24', '2026-11-30'])
  })

  it('names a zone once', () => {
    const inUtc = new Date().getTimezoneOffset() === 0
    expect(zoneWords('Europe/Oslo', new Date())).toMatch(/^Europe\/Oslo, UTC/)
    if (inUtc) expect(zoneWords('UTC', new Date())).toBe('UTC')
  })
})
