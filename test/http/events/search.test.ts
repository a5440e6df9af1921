import { memoryStorage } from '../../../src'
import { startApp } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'
import { authenticate, type EventFixture, type Reader, readable, startEventFixture } from './support/readers-fixture'

interface Found {
  readonly body: { readonly events: readonly { readonly id: number }[]; readonly total: number }
}

const idsOf = ({ body }: Found) => body.events.map(({ id }) => id)

/** The link to the next page in the response. */
function nextOf({ headers }: { headers: Record<string, string> }): string | undefined {
  return /^<(\?[^>]*)>; rel="next"$/.exec(headers.link ?? '')?.[1]
}

describe('GET /api/admin/search/events', () => {
  let app: EventFixture
  let bounded: EventFixture

  beforeAll(async () => {
    const storage = memoryStorage()
    app = await startEventFixture({ storage })
    bounded = readable(await startApp({ storage, authenticate, limits: { searchedEvents: 3 } }))
  })

  afterAll(async () => {
    await app.close()
    await bounded.close()
  })

  const search = (query = '', reader: Reader = 'admin') => app.get(`/search/events${query}`, reader)

  it('returns all events, newest first, and the total', async () => {
    const { status, headers, body } = await search()
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['events', 'total'])
    expect([idsOf({ body }), body.total]).toEqual([[8, 7, 6, 5, 4, 3, 2, 1], 8])
    expect(violations('event-search', body)).toEqual([])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: expect.stringContaining('Authorization'),
    })
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('link')
  })

  it('returns every field of an event, also its groups', async () => {
    const { body } = await search('?id=IS:2')
    expect(body.events).toEqual([
      {
        id: 2,
        groupType: 'transaction',
        groupId: '01G',
        createdAt: '2026-03-02T00:00:00.000Z',
        type: 'feature-updated',
        createdBy: 'ben@example.com',
        createdByUserId: 2,
        environment: 'production',
        project: 'blog',
        featureName: 'checkout',
        data: null,
        preData: { note: 'a needle' },
        tags: [],
        label: 'Feature updated',
        summary: expect.stringMatching(/^\*\*ben@example.com\*\* updated flag/),
        ip: null,
      },
    ])
  })

  it('omits empty groups, and groups at every other path', async () => {
    const { body } = await search('?id=IS:1')
    expect(body.events[0]).not.toHaveProperty('groupType')
    expect(body.events[0]).not.toHaveProperty('groupId')
    for (const path of ['/events', '/events?project=blog', '/events/checkout']) {
      expect((await app.get(path)).text).not.toContain('group')
    }
  })

  it.each([
    ['id=IS:4', [4]],
    ['id=IS_ANY_OF:4,1,4,99', [4, 1]],
    ['id=IS:x', []],
    ['id=IS_ANY_OF:1.5,2', [2]],
    ['id=IS:9007199254740993', []],
    ['id=IS:-1', []],
    ['groupId=IS:01G', [2]],
    ['groupId=IS_ANY_OF:01G,02G', [4, 2]],
    ['environment=IS:production', [8, 7, 6, 4, 2]],
    ['environment=IS:Production', []],
    ['type=IS:segment-created', [3]],
    ['type=IS_ANY_OF:segment-created,user-created', [5, 3]],
    ['type=IS:no-such-type', []],
    ['createdBy=IS:2', [4, 2]],
    ['createdBy=IS_ANY_OF:-42,-1337', [5, 3]],
    ['createdBy=IS:ann', []],
    ['createdBy=IS:1', [8, 7, 6, 1]],
    ['project=IS:shop', [8, 7, 6, 4, 1]],
    ['project=IS_ANY_OF:shop,blog', [8, 7, 6, 4, 2, 1]],
    ['project=IS:Shop', []],
    ['project=IS:', []],
    ['from=IS:2026-03-02', [8, 7, 6, 5, 4, 3, 2]],
    ['to=IS:2026-03-02', [3, 2, 1]],
    ['from=IS:2026-03-02&to=IS:2026-03-02', [3, 2]],
    ['from=IS:2026-03-03&to=IS:2026-03-02', []],
    ['from=IS:1970-01-01', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['to=IS:1970-01-01', []],
    ['to=IS:1969-12-31', []],
    ['from=IS:0001-01-01&to=IS:9999-12-31', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['from=IS:9999-12-31', []],
    ['project=IS:shop&type=IS:feature-created', [1]],
    ['project=IS:shop&environment=IS:production&createdBy=IS:2', [4]],
    ['type=IS:feature-created&environment=IS:production', []],
  ])('?%s finds %j', async (query, ids) => {
    const answer = await search(`?${query}`)
    expect([answer.status, idsOf(answer), answer.body.total]).toEqual([200, ids, ids.length])
  })

  it('treats IS and IS_ANY_OF alike, splits at commas and trims', async () => {
    for (const value of ['IS:shop,blog', 'IS_ANY_OF:%20shop%20,%20blog', 'IS:,shop,,blog,']) {
      expect(idsOf(await search(`?project=${value}`))).toEqual([8, 7, 6, 4, 2, 1])
    }
  })

  it.each([
    ['checkout', [8, 7, 6, 2, 1]],
    ['basket', [8, 7, 6, 4]],
    ['checkout,basket', [8, 7, 6, 4, 2, 1]],
    ['unknown', []],
    ['Checkout', []],
  ])('?feature=IS:%s finds the events of the flag and of the change requests that touch it', async (flags, ids) => {
    const answer = await search(`?feature=IS:${flags}`)
    expect([idsOf(answer), answer.body.total]).toEqual([ids, ids.length])
  })

  it.each([
    ['needle', [4, 2]],
    ['NEEDLE', [4, 2]],
    ['50%25', [1]],
    ['%25', [1]],
    ['_', [1]],
    ['f_a', [1]],
    ['o%25f', []],
    ['"note":"a%20needle"', [2]],
    ["'%20or%20'1'='1", []],
    ['ben@example.com', []],
    ['feature-updated', []],
    ['Segment created', []],
    ['changeRequestId', [8, 7, 6]],
    ['%0A', []],
  ])('?query=%s finds %j: only in data, preData and tags', async (query, ids) => {
    const answer = await search(`?query=${query}`)
    expect([answer.status, idsOf(answer), answer.body.total]).toEqual([200, ids, ids.length])
  })

  it.each([
    ['', 0, 50],
    ['offset=2', 2, 50],
    ['offset=2&limit=3', 2, 3],
    ['offset=8', 8, 50],
    ['offset=1000000', 8, 50],
    ['offset=-1', 0, 50],
    ['offset=x', 0, 50],
    ['offset=', 0, 50],
    ['offset=1.5', 0, 50],
    ['limit=1', 0, 1],
    ['limit=1000', 0, 1000],
    ['limit=1001', 0, 50],
    ['limit=0', 0, 50],
    ['limit=-3', 0, 50],
    ['limit=many', 0, 50],
  ])('?%s skips %i and returns %i, of 8', async (query, offset, limit) => {
    for (const filter of ['', '&from=IS:2000-01-01', '&project=IS_ANY_OF:shop,blog']) {
      const whole = idsOf(await search(`?limit=1000${filter}`))
      const answer = await search(`?${query}${filter}`)
      expect([filter, idsOf(answer)]).toEqual([filter, whole.slice(offset, offset + limit)])
      expect([filter, answer.body.total]).toEqual([filter, whole.length])
    }
  })

  it('returns 50 events and a link to the next page by default', async () => {
    await app.router.events.record(Array.from({ length: 60 }, () => ({ type: 'feature-favorited', project: 'many' })))
    const answer = await search('?project=IS:many')
    expect([answer.body.events.length, answer.body.total]).toEqual([50, 60])
    const rest = await search(nextOf(answer))
    expect([rest.body.events.length, rest.body.total, nextOf(rest)]).toEqual([10, 60, undefined])
  })

  it.each<[Reader, string, readonly number[] | 403]>([
    ['admin', '', [5, 3, 8, 7, 6, 4, 2, 1]],
    ['auditor', '', [5, 3, 8, 7, 6, 4, 2, 1]],
    ['ofShop', '', [8, 7, 6, 4, 1]],
    ['adminOfShop', '', [8, 7, 6, 4, 1]],
    ['ofShopAndBlog', '', [8, 7, 6, 4, 2, 1]],
    ['ofWiki', '', []],
    ['ofShopInProduction', '', []],
    ['authorInShop', '', []],
    ['nobody', '', []],
    ['auditor', 'project=IS:unknown', []],
    ['ofShop', 'project=IS:shop', [8, 7, 6, 4, 1]],
    ['ofShop', 'project=IS_ANY_OF:shop,blog', [8, 7, 6, 4, 1]],
    ['ofShop', 'project=IS:blog', 403],
    ['ofShop', 'project=IS_ANY_OF:blog,unknown', 403],
    ['ofShop', 'project=IS:', []],
    ['nobody', 'project=IS:shop', 403],
    ['nobody', 'project=IS:unknown', 403],
    ['authorInShop', 'project=IS:shop', 403],
    ['ofShopInProduction', 'project=IS:shop', 403],
    ['ofShop', 'id=IS_ANY_OF:2,3,4', [4]],
    ['ofShop', 'feature=IS:checkout', [8, 7, 6, 1]],
    ['ofShop', 'query=needle', [4]],
    ['ofShop', 'type=IS_ANY_OF:segment-created,user-created', []],
    ['ofShop', 'createdBy=IS:2', [4]],
  ])('%s requests ?%s and gets %j', async (reader, query, expected) => {
    const answer = await search(
      `?limit=1000&${query}&type=${query.includes('type=') ? '' : known}`.replace(/&type=$/, ''),
      reader,
    )
    if (expected === 403) {
      expect([answer.status, answer.body.name, answer.body.permissions]).toEqual([
        403,
        'PermissionError',
        ['READ_EVENTS'],
      ])
    } else {
      const ids = idsOf(answer)
      expect([answer.status, [...ids].sort(), answer.body.total]).toEqual([200, [...expected].sort(), expected.length])
      expect(ids).toEqual([...ids].sort((one, other) => other - one))
    }
  })

  /** All types except that of the many events. */
  const known = `IS_ANY_OF:${[
    'feature-created',
    'feature-updated',
    'segment-created',
    'feature-environment-enabled',
    'user-created',
    'change-request-created',
    'change-added',
  ].join(',')}`

  describe('from page to page', () => {
    /** All ids from the first page on, following the links. */
    async function walk(fixture: EventFixture, query: string): Promise<number[][]> {
      const pages: number[][] = []
      let next: string | undefined = query
      while (next !== undefined && pages.length < 100) {
        const answer = await fixture.get(`/search/events${next}`)
        expect([next, answer.status]).toEqual([next, 200])
        pages.push(idsOf(answer))
        next = nextOf(answer)
      }
      return pages
    }

    const filters = [
      `type=${known}`,
      'project=IS:shop',
      'project=IS_ANY_OF:shop,blog',
      'feature=IS:checkout',
      'from=IS:2026-03-02&to=IS:2026-03-05&environment=IS:production',
      'query=needle',
      'query=e&project=IS:shop',
      'query=absent',
      'id=IS_ANY_OF:1,8',
      'id=IS:none',
    ]

    it.each(filters)('?%s returns each event exactly once by its links, in both directions', async (filter) => {
      const all = idsOf(await search(`?${filter}&limit=1000`))
      for (const fixture of [app, bounded]) {
        for (const limit of [1, 3]) {
          const down = await walk(fixture, `?${filter}&limit=${limit}`)
          expect([limit, down.flat()]).toEqual([limit, all])
          const up = await walk(fixture, `?${filter}&limit=${limit}&after=0`)
          expect([limit, up.toReversed().flat()]).toEqual([limit, all])
          const rest = await walk(fixture, `?${filter}&limit=${limit}&offset=2`)
          expect([limit, rest.flat()]).toEqual([limit, all.slice(2)])
          expect(Math.max(...down.map((page) => page.length))).toBeLessThanOrEqual(limit)
        }
      }
    })

    it('begins below before or above after, in both cases newest first', async () => {
      const ids = async (query: string) => idsOf(await search(`?type=${known}&${query}`))
      expect(await ids('before=4')).toEqual([3, 2, 1])
      expect(await ids('before=4&limit=2')).toEqual([3, 2])
      expect(await ids('after=4')).toEqual([8, 7, 6, 5])
      expect(await ids('after=4&limit=2')).toEqual([6, 5])
      expect(await ids('before=7&offset=2&limit=2')).toEqual([4, 3])
      expect(await ids('after=2&offset=2&limit=2')).toEqual([6, 5])
      expect(await ids('before=0')).toEqual([])
      expect(await ids('before=1')).toEqual([])
      expect(await ids('after=9007199254740991')).toEqual([])
    })

    it('has the same total on every page', async () => {
      for (const query of ['before=4', 'after=4', 'limit=1', 'offset=3', '']) {
        expect([query, (await search(`?createdBy=IS_ANY_OF:1,2&${query}`)).body.total]).toEqual([query, 6])
      }
    })

    it('keeps all other parameters in the link', async () => {
      const answer = await search('?project=IS_ANY_OF%3Ashop%2Cblog&limit=2&offset=1&createdBy=IS:1&unknown=a%26b')
      const next = new URLSearchParams(nextOf(answer))
      expect(Object.fromEntries(next)).toEqual({
        project: 'IS_ANY_OF:shop,blog',
        limit: '2',
        createdBy: 'IS:1',
        unknown: 'a&b',
        before: '6',
      })
    })
  })

  describe('a text, in the events that limits.searchedEvents allows', () => {
    it('is searched in at most that many events; the link continues after them', async () => {
      const first = await bounded.get('/search/events?query=needle&before=9')
      expect([idsOf(first), first.body.total, nextOf(first)]).toEqual([[], 0, '?query=needle&before=6'])
      const second = await bounded.get(`/search/events${nextOf(first)}`)
      expect([idsOf(second), second.body.total, nextOf(second)]).toEqual([[4], 1, '?query=needle&before=3'])
    })

    it('is searched in the other direction with after', async () => {
      const first = await bounded.get('/search/events?query=needle&after=0')
      expect([idsOf(first), nextOf(first)]).toEqual([[2], '?query=needle&after=3'])
    })

    it('counts only events that match the other filters', async () => {
      const answer = await bounded.get('/search/events?query=50%25&project=IS:shop&before=6')
      expect([idsOf(answer), answer.body.total, nextOf(answer)]).toEqual([[1], 1, undefined])
    })

    it('skips an offset of the matches', async () => {
      const answer = await search('?query=needle&offset=1')
      expect([idsOf(answer), answer.body.total]).toEqual([[2], 2])
      expect(idsOf(await search('?query=needle&offset=2'))).toEqual([])
    })
  })

  describe('is rejected', () => {
    const invalid = [400, 'BadDataError'] as const

    it.each<[string, string, number, string, string?]>([
      ...['id', 'feature', 'project', 'type', 'createdBy', 'environment', 'groupId'].flatMap(
        (name): [string, string, number, string, string][] =>
          ['shop', 'is:shop', 'ISNT:shop', 'IS_NOT:shop', 'IS', '%20IS:shop', 'IS_ANY_OF%3Bshop'].map((value) => [
            `${name} ${value}`,
            `?${name}=${value}`,
            ...invalid,
            `/query/${name}`,
          ]),
      ),
      ...['from', 'to'].flatMap((name): [string, string, number, string, string][] =>
        [
          '2026-03-01',
          'IS:',
          'IS:2026-3-1',
          'IS:2026-02-29',
          'IS:2026-13-01',
          'IS:2026-00-10',
          'IS:0000-01-01',
          'IS:2026-03-01T00:00:00',
          'IS:12026-03-01',
          'IS:%202026-03-01',
          'IS_ANY_OF:2026-03-01',
          'IS:yesterday',
        ].map((value) => [`${name} ${value}`, `?${name}=${value}`, ...invalid, `/query/${name}`]),
      ),
      ...['x', '-1', '1.5', '1e3', '%201', '9007199254740992', '1'.repeat(20)].flatMap(
        (value): [string, string, number, string, string][] => [
          [`before ${value}`, `?before=${value}`, ...invalid, '/query/before'],
          [`after ${value}`, `?after=${value}`, ...invalid, '/query/after'],
        ],
      ),
      ['both cursors', '?before=5&after=2', ...invalid, '/query/after'],
      ...[
        'query',
        'id',
        'feature',
        'project',
        'type',
        'createdBy',
        'environment',
        'groupId',
        'from',
        'to',
        'offset',
      ].flatMap((name): [string, string, number, string, string][] => [
        [`${name} twice`, `?${name}=IS:a&${name}=IS:b`, ...invalid, `/query/${name}`],
        [`NUL in ${name}`, `?${name}=IS:a%00`, ...invalid, `/query/${name}`],
      ]),
      ['limit twice', '?limit=1&limit=1', ...invalid, '/query/limit'],
      ['before twice', '?before=1&before=1', ...invalid, '/query/before'],
    ])('%s', async (_name, query, status, name, path) => {
      const answer = await sendRaw(app.port, {
        method: 'GET',
        path: `/api/admin/search/events${query}`,
        headers: { Authorization: 'admin' },
      })
      expectRefusal(answer, status, name)
      expect(answer.body.details[0].path).toBe(path)
    })

    it.each([
      ['without a key', {}, 401, 'AuthenticationRequired'],
      ['with an unknown key', { Authorization: 'stranger' }, 401, 'UnauthorizedError'],
      ['naming only projects without a grant', { Authorization: 'ofShop' }, 403, 'PermissionError'],
    ])('%s', async (_name, headers, status, name) => {
      const path = '/api/admin/search/events?project=IS:blog'
      expectRefusal(await sendRaw(app.port, { method: 'GET', path, headers }), status, name)
    })
  })

  it('treats unusual values literally and finds nothing', async () => {
    const odd = ['%25', "'%20or%201=1", '%F0%9F%A6%84', '__proto__', '..', '%0d%0aX-Injected:%201', '{a}', '%22', '%5C']
    for (const name of ['feature', 'project', 'type', 'environment', 'groupId', 'id', 'createdBy']) {
      for (const value of [...odd, 'x'.repeat(5_000)]) {
        const path = `/api/admin/search/events?${name}=IS:${value}`
        const answer = await sendRaw(app.port, { method: 'GET', path, headers: { Authorization: 'admin' } })
        expect([name, value, answer.status, answer.text]).toEqual([name, value, 200, '{"events":[],"total":0}'])
      }
    }
  })

  it('handles HEAD like GET, without the body', async () => {
    const path = '/api/admin/search/events?limit=1'
    const answer = await sendRaw(app.port, { method: 'HEAD', path, headers: { Authorization: 'admin' } })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers.link).toContain('rel="next"')
  })
})
