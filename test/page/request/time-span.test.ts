import { percentAt, timeSpan } from '../../../src/page/app/screens/request/dialogs/time-span'

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour)

describe('the days of a time line', () => {
  it.each([
    ['a week from today', null, 27],
    ['a week for an earlier time', at(22, 9), 27],
    ['up to the end of the chosen day', at(30, 9), 31],
    ['the day that begins at the chosen time', at(27), 28],
  ])('are %s', (_, moment, last) => {
    expect(timeSpan(at(20, 10).getTime(), moment)).toEqual({ from: at(20).getTime(), to: at(last).getTime() })
  })

  it('have places in percent, with the ends for all beyond them', () => {
    const span = timeSpan(at(20, 10).getTime(), null)
    const places = [at(19), at(20), at(23, 12), at(27), at(28)].map((moment) => percentAt(span, moment.getTime()))
    expect(places).toEqual([0, 0, 50, 100, 100])
  })
})
