import { readFilter, toAddressQuery, toEventQuery, withDays } from '../../../src/page/app/screens/log/search/filter'
import { filterChips, filterPhrase } from '../../../src/page/app/screens/log/search/filter-words'

const read = (query: string) => readFilter(new URLSearchParams(query))
const names = new Map([[7, 'Kari Nordmann']])

describe('the filter in the address of the log', () => {
  it('takes each value once, and several values of one filter', () => {
    expect(read('project=shop&type=a&type=b&type=a').values).toEqual({ project: ['shop'], type: ['a', 'b'] })
  })

  it.each(['id=x', 'createdBy=Ann', 'project=a%2Cb', 'from=yesterday', 'to=2026-13-01', 'query=%20', 'nothing=1'])(
    'leaves out what no filter takes: %s',
    (query) => expect(read(query)).toEqual({ values: {} }),
  )

  it('takes flags with commas and percent signs', () => {
    expect(read('feature=a%2Cb&feature=a%252Cb').values).toEqual({ feature: ['a,b', 'a%2Cb'] })
  })

  it('is written back as it was read', () => {
    const address = 'project=shop&type=a&type=b&from=2026-11-01&to=2026-11-18&query=retry'
    const entries = Object.entries(toAddressQuery(read(address))).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    expect(new URLSearchParams(entries).toString()).toBe(address)
  })

  it('is asked for with numbers where the interface has numbers', () => {
    const filter = read('id=3&createdBy=-1337&feature=checkout&from=2026-11-18')
    expect(toEventQuery(filter)).toEqual({ id: [3], createdBy: [-1337], feature: ['checkout'], from: '2026-11-18' })
  })
})

describe('the chips of a filter', () => {
  it('say each value with its filter, further values with "or"', () => {
    const words = filterChips(read('project=shop&createdBy=7&createdBy=9'), names)
    expect(words.map(({ lead, value }) => `${lead} ${value}`)).toEqual([
      'Project is shop',
      'Person is Kari Nordmann',
      'or user 9',
    ])
  })

  it('take away their value and nothing else', () => {
    const [first] = filterChips(read('type=a&type=b&query=x'), names)
    expect(first?.without).toEqual({ values: { type: ['b'] }, query: 'x' })
  })

  it('have one for a single day, and one for each end of several', () => {
    const filter = read('')
    const leads = (from?: string, to?: string) => filterChips(withDays(filter, from, to), names).map(({ lead }) => lead)
    expect([leads('2026-11-18'), leads('2026-11-01', '2026-11-18')]).toEqual([['Day is'], ['From', 'Until']])
  })
})

describe('the filter in words', () => {
  it('names days, project and what else narrows it', () => {
    const filter = read('project=shop&type=change-request-applied&from=2020-11-18&to=2020-11-18&query=retry')
    expect(filterPhrase(filter, names)).toBe('of Wed, 18 Nov 2020, in shop, type Request applied, with “retry”')
  })
})
