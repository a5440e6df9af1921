import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const idsOf = (events: Json[]): number[] => events.map(({ id }) => id)
const newestFirst = (ids: readonly number[]) => ids.toSorted((one, other) => other - one)

/** The log of a flag. */
const logOf = (world: World, feature = world.feature) => world.get(`/events/${feature}`, 'admin')

const search = async (world: World, query: string): Promise<Json> =>
  granted(await world.get(`/search/events${query}`, 'admin')).body

/** All ids from the first page on, by the links of the answers. */
async function walk(world: World, query: string): Promise<number[]> {
  const ids: number[] = []
  let next: string | undefined = query
  for (let pages = 0; next !== undefined && pages < 1_000; pages += 1) {
    const answer = granted(await world.get(`/search/events${next}`, 'admin'))
    ids.push(...idsOf(answer.body.events))
    next = /^<(\?[^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return ids
}

/** Answers the filter for the events of a fresh change request, and these events, oldest first. */
async function proposed(world: World, changes: number) {
  const { id, createdBy } = await world.draft(changes)
  const events = await world.eventsOf(id)
  return { id, createdBy, events, filter: `?project=IS:${world.project}&id=IS_ANY_OF:${idsOf(events)}` }
}

/** In any case, and in no other part of the event. */
const hasInData = ({ data, preData, tags }: Json, text: string) =>
  [data, preData, tags].some((part) => part != null && JSON.stringify(part).toLowerCase().includes(text.toLowerCase()))

export const eventSearch: RuleGroup = {
  title: 'GET /events/:featureName, GET /search/events and GET /event-creators',
  rules: [
    must('CR-821', 'answer the log of a flag with its name, newest first', async (world, expect) => {
      const { events } = await proposed(world, 2)
      const { status, body } = await logOf(world)
      expect([status, Object.keys(body).toSorted(), body.version, body.toggleName]).toEqual([
        200,
        ['events', 'toggleName', 'totalEvents', 'version'],
        1,
        world.feature,
      ])
      const ids = idsOf(body.events)
      expect(ids).toEqual(newestFirst(ids))
      expect(ids.slice(0, 3)).toEqual(idsOf(events).toReversed())
      expect(body.totalEvents).toBe(ids.length)
      expect([...new Set(body.events.map(({ featureName }: Json) => featureName))]).toEqual([world.feature])
    }),

    must('CR-822', 'answer an unknown flag with 200 and no events', async (world, expect) => {
      const { status, body } = await logOf(world, 'no-such-flag-here')
      expect([status, body]).toEqual([200, { version: 1, toggleName: 'no-such-flag-here', events: [], totalEvents: 0 }])
    }),

    must('CR-823', 'refuse a malformed name of a flag with 400', async (world, expect) => {
      for (const name of ['a%20b', '%00', 'x'.repeat(101)]) {
        expect([name, ...refusal(await logOf(world, name))]).toEqual([name, 400, 'BadDataError'])
      }
    }),

    must('CR-824', 'answer 304 while nothing of the flag is new', async (world, expect) => {
      await world.draft()
      const tag = granted(await logOf(world)).headers.get('etag') ?? ''
      const ask = () => world.get(`/events/${world.feature}`, 'admin', { 'If-None-Match': tag })
      const again = await ask()
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      granted(await world.propose(world.change(1)))
      expect((await ask()).status).toBe(200)
    }),

    must('CR-825', 'show nobody events that they may not read', async (world, expect) => {
      await world.draft()
      const log = await world.get(`/events/${world.feature}`, 'reader')
      const found = await world.get('/search/events', 'reader')
      const creators = await world.get('/event-creators', 'reader')
      expect([log.status, log.body.events, log.body.totalEvents]).toEqual([200, [], 0])
      expect([found.status, found.body]).toEqual([200, { events: [], total: 0 }])
      expect([creators.status, creators.body]).toEqual([200, []])
    }),

    must('CR-831', 'find events that fit all parameters, newest first, and count them', async (world, expect) => {
      const { events, createdBy, filter } = await proposed(world, 2)
      const [created, ...added] = idsOf(events)
      expect(await search(world, filter)).toEqual({ events: events.toReversed(), total: 3 })
      for (const [query, ids] of [
        ['&type=IS:change-request-created', [created]],
        ['&type=IS_ANY_OF:change-request-created,change-added', [...added.toReversed(), created]],
        [`&environment=IS:${world.environment}&createdBy=IS:${createdBy.id}`, [...added.toReversed(), created]],
        ['&from=IS:1990-01-01&to=IS:9999-12-31', [...added.toReversed(), created]],
        ['&to=IS:1990-01-01', []],
        ['&environment=IS:no-such-environment', []],
        ['&createdBy=IS:nobody', []],
        ['&groupId=IS:none', []],
      ] as const) {
        const { events: found, total } = await search(world, `${filter}${query}`)
        expect([query, idsOf(found), total]).toEqual([query, ids, ids.length])
      }
    }),

    must('CR-832', 'find by a flag the events of the change requests that touch it', async (world, expect) => {
      const { id, events } = await proposed(world, 1)
      granted(await world.move('author', id, 'Cancelled'))
      const last = (await world.eventsOf(id)).at(-1)
      const { events: found } = await search(world, `?feature=IS:${world.feature}&limit=3`)
      expect(idsOf(found)).toEqual([last.id, ...idsOf(events).toReversed()].slice(0, 3))
    }),

    must('CR-833', 'find a text in data, with no special characters and in any case', async (world, expect) => {
      const { id, events, filter } = await proposed(world, 1)
      const text = (value: string) => search(world, `${filter}&query=${encodeURIComponent(value)}`)
      const [created, added] = idsOf(events)
      expect(idsOf((await text(`"CHANGEREQUESTID":${id},"changeid"`)).events)).toEqual([added])
      expect(idsOf((await text(`"changeRequestId":${id}`)).events)).toEqual([added, created])
      expect((await text('"changeRequestId"%')).events).toEqual([])
      // Names may stand in the data by chance, as that of a project in that of its flag.
      for (const value of [world.project, world.environment, world.feature, 'change-request-created']) {
        const found = events.filter((event) => hasInData(event, value))
        expect([value, idsOf((await text(value)).events)]).toEqual([value, idsOf(found).toReversed()])
      }
    }),

    must('CR-834', 'leave out an offset, answer a limit, and count without both', async (world, expect) => {
      const { events, filter } = await proposed(world, 4)
      const ids = idsOf(events).toReversed()
      const page = async (query: string) => {
        const { events: found, total } = await search(world, `${filter}${query}`)
        return [idsOf(found), total]
      }
      expect(await page('&offset=1&limit=2')).toEqual([ids.slice(1, 3), 5])
      expect(await page('&offset=9')).toEqual([[], 5])
      expect(await page('&offset=-1&limit=0')).toEqual([ids, 5])
      expect(await page('&offset=x&limit=1001')).toEqual([ids, 5])
    }),

    must('CR-835', 'link each page to the next, which leads through all of it once', async (world, expect) => {
      const { events, filter } = await proposed(world, 4)
      const ids = idsOf(events).toReversed()
      expect(await walk(world, `${filter}&limit=2`)).toEqual(ids)
      expect(newestFirst(await walk(world, `${filter}&limit=2&after=0`))).toEqual(ids)
      const { events: below } = await search(world, `${filter}&before=${ids[1]}`)
      expect(idsOf(below)).toEqual(ids.slice(2))
      const { events: above } = await search(world, `${filter}&after=${ids[2]}`)
      expect(idsOf(above)).toEqual(ids.slice(0, 2))
    }),

    must('CR-836', 'refuse another form of a parameter with 400', async (world, expect) => {
      const bad = ['project=shop', 'id=7', 'type=is:a', 'from=IS:2026-02-30', 'to=2026-03-01', 'before=x', 'after=-1']
      for (const query of [...bad, 'before=5&after=1', 'query=a&query=b', 'query=%00']) {
        const answer = await world.get(`/search/events?${query}`, 'admin')
        expect([query, ...refusal(answer)]).toEqual([query, 400, 'BadDataError'])
      }
    }),

    must('CR-837', 'refuse a search that names only projects that may not be read', async (world, expect) => {
      const answer = await world.get(`/search/events?project=IS:${world.project}`, 'reader')
      expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['READ_EVENTS']])
    }),

    must('CR-841', 'list who has written events, by id, each with a name', async (world, expect) => {
      const { createdBy } = await proposed(world, 1)
      const { status, body } = await world.get('/event-creators', 'admin')
      const ids = idsOf(body)
      expect([status, ids]).toEqual([200, ids.toSorted((one, other) => one - other)])
      expect([ids.includes(createdBy.id), new Set(ids).size]).toEqual([true, ids.length])
      expect(body.filter((one: Json) => typeof one.name !== 'string' || Object.keys(one).length !== 2)).toEqual([])
    }),
  ],
}
