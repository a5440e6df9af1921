import { dayIn } from '../../../src/page/app/core/tools/local-time'
import { readFilter, toAddressQuery, withDays } from '../../../src/page/app/screens/log/search/filter'
import { filterChips, filterPhrase } from '../../../src/page/app/screens/log/search/filter-words'
import { spanOf, toTimedQuery } from '../../../src/page/app/screens/log/search/zone'

const read = (query: string) => readFilter(new URLSearchParams(query))
const names = new Map([[7, 'Kari Nordmann']])

describe('the filter in the URL of the log', () => {
  it('has each value once, and several values of one filter', () => {
    expect(read('project=shop&type=a&type=b&type=a').values).toEqual({ project: ['shop'], type: ['a', 'b'] })
  })

  it.each([
    'id=x',
    'createdBy=Ann',
    'project=a%2Cb',
    'from=yesterday',
    'to=2026-13-01',
    'to=2026-02-31',
    'from=0000-01-01',
    'zone=UTC',
    'query=%20',
    'nothing=1',
  ])('ignores invalid values: %s', (query) => expect(read(query)).toEqual({ values: {} }))

  it('accepts flags with commas and percent signs', () => {
    expect(read('feature=a%2Cb&feature=a%252Cb').values).toEqual({ feature: ['a,b', 'a%2Cb'] })
  })

  it('is written back as it was read', () => {
    const address = 'project=shop&type=a&type=b&from=2026-11-01&to=2026-11-18&zone=Asia%2FTokyo&query=retry'
    const entries = Object.entries(toAddressQuery(read(address))).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    expect(new URLSearchParams(entries).toString()).toBe(address)
  })

  it('is sent with numbers if the API has numbers', () => {
    const filter = read('id=3&createdBy=-1337&feature=checkout')
    expect(toTimedQuery(filter)).toEqual({ id: [3], createdBy: [-1337], feature: ['checkout'] })
  })

  it.each([
    ['Mars/Phobos', 'UTC'],
    ['', 'UTC'],
    ['europe/oslo', 'Europe/Oslo'],
  ])('has days of the time zone %j in %s', (zone, expected) => {
    expect(read(`from=2026-11-18&zone=${zone}`)).toEqual({ values: {}, from: '2026-11-18', zone: expected })
  })
})

describe('the chips of a filter', () => {
  it('show each value with its filter, and further values with "or"', () => {
    const words = filterChips(read('project=shop&createdBy=7&createdBy=9'), names)
    expect(words.map(({ lead, value }) => `${lead} ${value}`)).toEqual([
      'Project is shop',
      'Person is Kari Nordmann',
      'or user 9',
    ])
  })

  it('remove only their value', () => {
    const [first] = filterChips(read('type=a&type=b&query=x'), names)
    expect(first?.without).toEqual({ values: { type: ['b'] }, query: 'x' })
  })

  it('have one for a single day, and one for each end of several', () => {
    const filter = read('')
    const leads = (from: string, to: string) => filterChips(withDays(filter, from, to), names).map(({ lead }) => lead)
    expect([leads('2026-11-18', '2026-11-18'), leads('2026-11-01', '2026-11-18')]).toEqual([
      ['Day is'],
      ['From', 'Until'],
    ])
  })

  it('keep the other end of several days in its time zone', () => {
    const chips = filterChips(read('from=2026-11-01&to=2026-11-18&zone=Asia/Tokyo'), names)
    expect(chips.map(({ without }) => without)).toEqual([
      { values: {}, to: '2026-11-18', zone: 'Asia/Tokyo' },
      { values: {}, from: '2026-11-01', zone: 'Asia/Tokyo' },
    ])
  })
})

describe('the filter in words', () => {
  it('names days, project and other conditions', () => {
    const filter = read('project=shop&type=change-request-applied&from=2020-11-18&to=2020-11-18&query=retry')
    expect(filterPhrase(filter, names)).toBe('of Wed, 18 Nov 2020 (UTC), in shop, type Request applied, with “retry”')
  })
})

describe('the days of a filter in their time zone', () => {
  it.each([
    ['UTC', '2026-11-18', '2026-11-18T00:00:00.000Z', '2026-11-19T00:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-18', '2026-11-18T08:00:00.000Z', '2026-11-19T08:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-18', '2026-11-17T18:30:00.000Z', '2026-11-18T18:30:00.000Z'],
    // 23 and 25 hours.
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    // The clocks skip midnight.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    // The zone skipped the day.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Kiritimati', '9999-12-30', '9999-12-29T10:00:00.000Z', '9999-12-30T10:00:00.000Z'],
  ])('are the instants of %s %s', (zone, day, from, to) => {
    expect(toTimedQuery(read(`from=${day}&to=${day}&zone=${zone}`))).toEqual({ from, to })
  })

  it('have no end if there is no last day', () => {
    const { from, to } = spanOf(read('from=2026-11-18&zone=Asia/Tokyo'))
    expect([new Date(from).toISOString(), to]).toEqual(['2026-11-17T15:00:00.000Z', Number.POSITIVE_INFINITY])
  })

  it('are those of the calendar in that time zone', () => {
    const moment = '2026-11-18T07:30:00Z'
    expect(['UTC', 'America/Los_Angeles', 'Asia/Tokyo'].map((zone) => dayIn(zone, moment))).toEqual([
      '2026-11-18',
      '2026-11-17',
      '2026-11-18',
    ])
  })
})
