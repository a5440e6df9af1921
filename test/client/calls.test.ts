import { createClient, type EventView } from '../../src/client'
import { enabled, type Fixture, inReview, openFixture, production } from './support/fixture'

const event = (n: number, project = 'shop') => ({ type: 'feature-updated' as const, project, data: { n } })
const numbers = (events: readonly EventView[]) => events.map(({ data }) => (data as { n: number }).n)

let fixture: Fixture
beforeEach(async () => {
  fixture = await openFixture()
  await fixture.app.router.events.record([event(1), event(2, 'blog'), event(3), event(4)])
})
afterEach(() => fixture.app.close())

describe('a change request through the client', () => {
  it('goes from the proposal to Applied, each step with its revision', async () => {
    const { ann, rae } = fixture
    const { body: draft, etag } = await ann.propose(production, [enabled(), enabled('search', false)])
    const place = { project: 'shop', id: draft.id }
    await ann.setTitle(place, 'Checkout for everybody', { ifMatch: etag ?? '' })
    await ann.setState(place, { state: 'In review' })
    const { body: review, etag: revision } = await rae.review(place)
    expect(revision).toBe(`"${review.revision}"`)
    const decision = { state: 'Approved', digest: review.digest ?? '' } as const
    const { body: approved } = await rae.setState(place, decision, { ifMatch: review.revision })
    expect(approved.state).toBe('Approved')
    const { body: applied } = await ann.setState(place, { state: 'Applied' })
    expect([applied.state, applied.title]).toEqual(['Applied', 'Checkout for everybody'])
  })

  it('is a new one with ifNoneMatch, or the call is rejected', async () => {
    const { ann } = fixture
    const { body: draft } = await ann.propose(production, enabled(), { ifNoneMatch: '*' })
    await expect(ann.propose(production, enabled('search'), { ifNoneMatch: '*' })).rejects.toMatchObject({
      status: 412,
      details: [{ path: `/api/admin/projects/shop/change-requests/${draft.id}` }],
    })
  })
})

describe('the reads of a page through the client', () => {})

describe('client.searchEvents(filter, page)', () => {
  it('combines filters, and follows from page to page', async () => {
    const { ann } = fixture
    const first = await ann.searchEvents(
      { project: 'shop', type: ['feature-updated', 'feature-archived'] },
      { limit: 2 },
    )
    expect([numbers(first.body.events), first.body.total, first.atLeast]).toEqual([[4, 3], 3, false])
    const second = await ann.searchEvents({ project: 'shop' }, { limit: 2, before: first.next ?? 0 })
    expect([numbers(second.body.events), second.next]).toEqual([[1], null])
  })

  it.each([
    ['a,b', 'IS:a%2Cb'],
    ['a%2Cb', 'IS:a%252Cb'],
    [['team/checkout', '50%, β'], 'IS_ANY_OF:team/checkout,50%25%2C β'],
  ])('escapes commas and percent signs in the names of flags: %j', async (feature, expected) => {
    const urls: URL[] = []
    const client = createClient({
      api: 'http://localhost',
      fetch: async (url) => {
        urls.push(new URL(url))
        return Response.json({ events: [], total: 0 })
      },
    })
    await client.searchEvents({ feature, project: 'shop' })
    expect(urls.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { feature: expected, project: 'IS:shop' },
    ])
  })

  it('reports that the total is a lower bound', async () => {
    const client = createClient({
      api: '',
      fetch: async () => Response.json({ events: [], total: 9 }, { headers: { 'Total-Count': 'at-least' } }),
    })
    expect((await client.searchEvents({ query: 'x' })).atLeast).toBe(true)
  })
})

describe('client.exportChangeRequests(filter)', () => {
  it('returns a complete file of the projects, from an id on', async () => {
    const { id } = await inReview(fixture, 'search')
    const stream = await fixture.ann.exportChangeRequests({ project: ['shop', 'blog'] }, { after: id - 1 })
    const [line, trailer, ...rest] = (await new Response(stream).text()).split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ id, state: 'In review' })
    const filter = { project: ['shop', 'blog'] }
    expect([JSON.parse(trailer ?? ''), rest]).toEqual([
      { trailer: { count: 1, firstId: id, lastId: id, filter } },
      [''],
    ])
    const none = await fixture.ann.exportChangeRequests({ changedFrom: '2999-01-01', changedTo: '2999-01-02' })
    expect(await new Response(none).text()).toContain('"trailer":{"count":0,')
  })

  it('fails for a file that was cut off', async () => {
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const client = createClient({ api: '', fetch: async () => new Response('{"id":1}\n', { headers }) })
    const stream = await client.exportChangeRequests({})
    await expect(new Response(stream).text()).rejects.toMatchObject({ name: 'IncompleteExport' })
  })
})

describe('client.exportEvents(filter, { format })', () => {
  it.each(['ndjson', 'csv'] as const)('returns a complete %s file and reports progress', async (format) => {
    const progress: { events: number; bytes: number }[] = []
    const onProgress = (made: { events: number; bytes: number }) => progress.push(made)
    await fixture.app.router.events.record({ ...event(5), data: { text: 'a "quoted"\n line' } })
    const stream = await fixture.ann.exportEvents({ project: 'shop' }, { format, onProgress })
    const text = await new Response(stream).text()
    expect(text.trimEnd().split('\n').at(-1)).toMatch(format === 'csv' ? /^#trailer,4,/ : /^\{"trailer":\{"count":4,/)
    expect(progress.at(-1)).toEqual({ events: 4, bytes: Buffer.byteLength(text) })
  })

  it.each([
    ['ndjson', '{"id":1}\n{"id":2}\n'],
    ['ndjson', '{"id":1}\n{"trailer":{"cou'],
    ['csv', 'id,data\r\n1,"#trailer,'],
    ['csv', ''],
    ['csv', 'id,data\r\n1,"\n#trailer,1,1,1\n'],
  ] as const)('fails for a %s file that was cut off: %j', async (format, text) => {
    const headers = { 'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson' }
    const client = createClient({ api: '', fetch: async () => new Response(text, { headers }) })
    const stream = await client.exportEvents({}, { format })
    await expect(new Response(stream).text()).rejects.toMatchObject({ name: 'IncompleteExport' })
  })

  it.each(['application/json', 'text/csv', 'text/plain'])('rejects what is no NDJSON: %s', async (type) => {
    const client = createClient({
      api: '',
      fetch: async () => new Response('{}\n{"trailer":1}\n', { headers: { 'Content-Type': type } }),
    })
    await expect(client.exportEvents({}, { format: 'ndjson' })).rejects.toMatchObject({ name: 'HttpError' })
  })
})
