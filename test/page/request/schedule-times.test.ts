import { choices, timeSpan } from '../../../src/page/app/screens/request/dialogs/schedule-times'

const zone = 'Europe/Berlin'
const at = (time: string) => Date.parse(time)

describe('the proposed times', () => {
  it('are only those in the future', () => {
    const lateOnSunday = at('2026-11-22T23:00+01:00')
    expect(choices(lateOnSunday, zone)).toEqual([
      { label: 'Tomorrow 07:00', local: { day: '2026-11-23', time: '07:00' } },
      { label: 'Monday 09:00', local: { day: '2026-11-23', time: '09:00' } },
    ])
  })

  it('are on the Monday of the next week on a Monday', () => {
    const monday = at('2026-11-23T08:00+01:00')
    expect(choices(monday, zone).map(({ local }) => local.day)).toEqual(['2026-11-23', '2026-11-24', '2026-11-30'])
  })

  it('are the same on the clock after the clocks change', () => {
    const saturday = at('2026-03-28T12:00+01:00')
    expect(choices(saturday, zone).map(({ local }) => local.time)).toEqual(['22:00', '07:00', '09:00'])
  })
})

describe('the days of a time line', () => {
  const friday = at('2026-11-20T10:00+01:00')

  it.each([
    ['a week from today', null, '2026-11-27'],
    ['a week for an earlier time', '2026-11-22T09:00+01:00', '2026-11-27'],
    ['up to the end of the chosen day', '2026-11-30T09:00+01:00', '2026-12-01'],
    ['the day that begins at the chosen time', '2026-11-27T00:00+01:00', '2026-11-28'],
  ])('are %s', (_, moment, last) => {
    const span = timeSpan(friday, moment === null ? null : new Date(moment), zone)
    expect(span).toEqual({ from: at('2026-11-20T00:00+01:00'), to: at(`${last}T00:00+01:00`) })
  })
})
