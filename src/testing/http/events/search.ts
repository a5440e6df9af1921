import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const idsOf = (events: Json[]): number[] => events.map(({ id }) => id)
const newestFirst = (ids: readonly number[]) => ids.toSorted((one, other) => other - one)

/** The log of a flag. */
const logOf = (api: Api, feature = encodeURIComponent(api.feature)) => api.get(`/events/${feature}`, 'admin')

/** In the names of flags of a search, a comma and a percent sign are escaped. */
const escaped = (name: string) => name.replace(/[%,]/g, (mark) => encodeURIComponent(mark))

const search = async (api: Api, query: string): Promise<Json> =>
  succeeded(await api.get(`/search/events${query}`, 'admin')).body

/** Follows the links from the first page on and returns all ids. */
async function walk(api: Api, query: string): Promise<number[]> {
  const ids: number[] = []
  let next: string | undefined = query
  for (let pages = 0; next !== undefined && pages < 1_000; pages += 1) {
    const response = succeeded(await api.get(`/search/events${next}`, 'admin'))
    ids.push(...idsOf(response.body.events))
    next = /^<(\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return ids
}

/** Creates a change request and returns a filter for its events, and these events, oldest first. */
async function proposed(api: Api, changes: number) {
  const { id, createdBy } = await api.draft(changes)
  const events = await api.eventsOf(id)
  return { id, createdBy, events, filter: `?project=IS:${api.project}&id=IS_ANY_OF:${idsOf(events)}` }
}

/** Whether the text occurs in `data`, `preData` or `tags`, case-insensitively. */
const hasInData = ({ data, preData, tags }: Json, text: string) =>
  [data, preData, tags].some((part) => part != null && JSON.stringify(part).toLowerCase().includes(text.toLowerCase()))

export const eventSearch: RuleGroup = {
  title: 'GET /events/:featureName, GET /search/events and GET /event-creators',
  rules: [
    must('CR-821', 'return the log of a flag with its name, newest first', async (api, expect) => {
      const { events } = await proposed(api, 2)
      const { status, body } = await logOf(api)
      expect([status, Object.keys(body).toSorted(), body.version, body.toggleName]).toEqual([
        200,
        ['events', 'toggleName', 'totalEvents', 'version'],
        1,
        api.feature,
      ])
      const ids = idsOf(body.events)
      expect(ids).toEqual(newestFirst(ids))
      expect(ids.slice(0, 3)).toEqual(idsOf(events).toReversed())
      expect(body.totalEvents).toBe(ids.length)
      expect([...new Set(body.events.map(({ featureName }: Json) => featureName))]).toEqual([api.feature])
    }),

    must('CR-822', 'return 200 and no events for an unknown flag', async (api, expect) => {
      const { status, body } = await logOf(api, 'no-such-flag-here')
      expect([status, body]).toEqual([200, { version: 1, toggleName: 'no-such-flag-here', events: [], totalEvents: 0 }])
    }),

    must('CR-823', 'reject a malformed flag name with 400', async (api, expect) => {
      for (const name of ['%20a', '%00', 'x'.repeat(101)]) {
        expect([name, ...errorOf(await logOf(api, name))]).toEqual([name, 400, 'BadDataError'])
      }
    }),

    must('CR-824', 'return 304 while the flag has no new events', async (api, expect) => {
      await api.draft()
      const tag = succeeded(await logOf(api)).headers.get('etag') ?? ''
      const ask = () => api.get(`/events/${encodeURIComponent(api.feature)}`, 'admin', { 'If-None-Match': tag })
      const again = await ask()
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      succeeded(await api.propose(api.change(1)))
      expect((await ask()).status).toBe(200)
    }),

    must('CR-825', 'show callers only events that they can read', async (api, expect) => {
      await api.draft()
      const log = await api.get(`/events/${encodeURIComponent(api.feature)}`, 'reader')
      const found = await api.get('/search/events', 'reader')
      const creators = await api.get('/event-creators', 'reader')
      expect([log.status, log.body.events, log.body.totalEvents]).toEqual([200, [], 0])
      expect([found.status, found.body]).toEqual([200, { events: [], total: 0 }])
      expect([creators.status, creators.body]).toEqual([200, []])
    }),

    must('CR-831', 'find events that match all parameters, newest first, and count them', async (api, expect) => {
      const { events, createdBy, filter } = await proposed(api, 2)
      const [created, ...added] = idsOf(events)
      expect(await search(api, filter)).toEqual({ events: events.toReversed(), total: 3 })
      for (const [query, ids] of [
        ['&type=IS:change-request-created', [created]],
        ['&type=IS_ANY_OF:change-request-created,change-added', [...added.toReversed(), created]],
        [`&environment=IS:${api.environment}&createdBy=IS:${createdBy.id}`, [...added.toReversed(), created]],
        ['&from=IS:1990-01-01&to=IS:9999-12-31', [...added.toReversed(), created]],
        ['&to=IS:1990-01-01', []],
        ['&environment=IS:no-such-environment', []],
        ['&createdBy=IS:nobody', []],
        ['&groupId=IS:none', []],
      ] as const) {
        const { events: found, total } = await search(api, `${filter}${query}`)
        expect([query, idsOf(found), total]).toEqual([query, ids, ids.length])
      }
    }),

    must('CR-832', 'find events of the change requests that affect a flag by that flag', async (api, expect) => {
      const { id, events } = await proposed(api, 1)
      succeeded(await api.move('author', id, 'Cancelled'))
      const last = (await api.eventsOf(id)).at(-1)
      const { events: found } = await search(api, `?feature=IS:${encodeURIComponent(escaped(api.feature))}&limit=3`)
      expect(idsOf(found)).toEqual([last.id, ...idsOf(events).toReversed()].slice(0, 3))
    }),

    must('CR-833', 'find a text in data, literally and case-insensitively', async (api, expect) => {
      const { id, events, filter } = await proposed(api, 1)
      const text = (value: string) => search(api, `${filter}&query=${encodeURIComponent(value)}`)
      const [created, added] = idsOf(events)
      expect(idsOf((await text(`"CHANGEREQUESTID":${id},"changeid"`)).events)).toEqual([added])
      expect(idsOf((await text(`"changeRequestId":${id}`)).events)).toEqual([added, created])
      expect((await text('"changeRequestId"%')).events).toEqual([])
      // A name may also occur in the data by chance, such as the name of a project in that of its flag.
      for (const value of [api.project, api.environment, api.feature, 'change-request-created']) {
        const found = events.filter((event) => hasInData(event, value))
        expect([value, idsOf((await text(value)).events)]).toEqual([value, idsOf(found).toReversed()])
      }
    }),

    must('CR-834', 'skip an offset, return up to a limit, and ignore both in the total', async (api, expect) => {
      const { events, filter } = await proposed(api, 4)
      const ids = idsOf(events).toReversed()
      const page = async (query: string) => {
        const { events: found, total } = await search(api, `${filter}${query}`)
        return [idsOf(found), total]
      }
      expect(await page('&offset=1&limit=2')).toEqual([ids.slice(1, 3), 5])
      expect(await page('&offset=9')).toEqual([[], 5])
      expect(await page('&offset=-1&limit=0')).toEqual([ids, 5])
      expect(await page('&offset=x&limit=1001')).toEqual([ids, 5])
    }),

    must('CR-835', 'link each page to the next, and return every event once', async (api, expect) => {
      const { events, filter } = await proposed(api, 4)
      const ids = idsOf(events).toReversed()
      expect(await walk(api, `${filter}&limit=2`)).toEqual(ids)
      expect(newestFirst(await walk(api, `${filter}&limit=2&after=0`))).toEqual(ids)
      const { events: below } = await search(api, `${filter}&before=${ids[1]}`)
      expect(idsOf(below)).toEqual(ids.slice(2))
      const { events: above } = await search(api, `${filter}&after=${ids[2]}`)
      expect(idsOf(above)).toEqual(ids.slice(0, 2))
    }),

    must('CR-836', 'reject an invalid parameter with 400', async (api, expect) => {
      const bad = ['project=shop', 'id=7', 'type=is:a', 'from=IS:2026-02-30', 'to=2026-03-01', 'before=x', 'after=-1']
      for (const query of [...bad, 'before=5&after=1', 'query=a&query=b', 'query=%00']) {
        const response = await api.get(`/search/events?${query}`, 'admin')
        expect([query, ...errorOf(response)]).toEqual([query, 400, 'BadDataError'])
      }
    }),

    must('CR-837', 'deny a search in projects that the caller cannot read', async (api, expect) => {
      const response = await api.get(`/search/events?project=IS:${api.project}`, 'reader')
      expect([...errorOf(response), response.body.permissions]).toEqual([403, 'PermissionError', ['READ_EVENTS']])
    }),

    must('CR-841', 'list the users who have written events, by id, each with a name', async (api, expect) => {
      const { createdBy } = await proposed(api, 1)
      const { status, body } = await api.get('/event-creators', 'admin')
      const ids = idsOf(body)
      expect([status, ids]).toEqual([200, ids.toSorted((one, other) => one - other)])
      expect([ids.includes(createdBy.id), new Set(ids).size]).toEqual([true, ids.length])
      expect(body.filter((one: Json) => typeof one.name !== 'string' || Object.keys(one).length !== 2)).toEqual([])
    }),
  ],
}
