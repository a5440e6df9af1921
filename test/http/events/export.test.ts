import { once } from 'node:events'
import type { Grant, Storage } from '../../../src'
import { until } from '../../faults/support/server'
import { people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { expectRefusal } from '../support/refusal'
import { parseCsv } from './support/csv'
import {
  csv,
  type ExportRequest,
  ndjson,
  openExport,
  parseCsvExport,
  parseNdjson,
  readExport,
  settled,
} from './support/export-request'

const pageSize = 500
/** 1,300 events, alternating between two projects and none: three pages. */
const total = 1_300
const projects = ['shop', 'blog', undefined]
const formats = [
  { format: 'NDJSON', accept: ndjson, parse: parseNdjson },
  { format: 'CSV', accept: csv, parse: parseCsvExport },
]
const grants: Readonly<Record<string, readonly Grant[]>> = {
  ...Object.fromEntries(Object.values(people).map(({ key, grants }) => [key, grants])),
  'reader of shop': [{ permission: 'READ_EVENTS', project: 'shop' }],
}

const idsOf = (events: readonly { id: unknown }[]) => events.map(({ id }) => Number(id))

describe('GET events as an export', () => {
  let database: OpenDatabase
  let app: TestApp
  /** Called before a page is read, with the number of pages read before. */
  let beforePage: (pages: number) => Promise<unknown> | undefined = () => undefined
  let pages = 0
  const broken: string[] = []

  const get = async (path: string, asked: Partial<ExportRequest> = {}) =>
    readExport(await openExport({ port: app.port, path, accept: ndjson, ...asked }))
  const json = async (path: string, key: string = people.ann.key) =>
    JSON.parse((await get(path, { accept: 'application/json', key })).text)

  beforeAll(async () => {
    database = await sqlite.open()
    const storage: Storage = {
      ...database.storage,
      async eventPage(...asked) {
        pages += 1
        await beforePage(pages - 1)
        return database.storage.eventPage(...asked)
      },
    }
    const error = (_facts: object, message: string) => void broken.push(message)
    app = await startApp({
      storage,
      logger: { debug() {}, info() {}, warn() {}, error },
      authenticate: ({ headers: { authorization = '' } }) => ({ id: null, grants: grants[authorization] ?? [] }),
    })
    await app.router.events.record(
      Array.from({ length: total }, (_, index) => {
        const project = projects[index % 3]
        return {
          type: index % 2 === 0 ? ('feature-updated' as const) : ('feature-archived' as const),
          createdBy: index % 100 === 0 ? '=HYPERLINK("http://evil.example")' : 'ann, "the author"\r\nand more',
          ...(project === undefined ? {} : { project }),
          ...(index % 5 === 0 ? { featureName: 'checkout', environment: 'production' } : {}),
          ...(index % 7 === 0 ? { groupType: 'transaction' as const, groupId: `=${index}` } : {}),
          data: { n: index, text: index === 640 ? 'Größe, "1,300"\n\u2028' : 'x' },
          tags: index % 11 === 0 ? [{ type: 'simple', value: '-ключ' }] : [],
        }
      }),
    )
  })

  beforeEach(() => {
    beforePage = () => undefined
    pages = 0
    broken.length = 0
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it.each([
    ['/events?project=shop', '/events?project=shop'],
    ['/events/checkout', '/events/checkout'],
    ['/search/events?feature=IS:checkout', '/search/events?feature=IS:checkout&limit=1000'],
    [
      '/search/events?project=IS:blog&type=IS:feature-updated&limit=3&offset=7',
      '/search/events?project=IS:blog&type=IS:feature-updated&limit=1000',
    ],
    ['/search/events?query=größe', '/search/events?query=größe&limit=1000'],
  ])('has the events of the list, unchanged: %s', async (path, list) => {
    const { events: listed } = await json(encodeURI(list))
    expect(listed.length).toBeGreaterThan(0)
    const { status, text, complete } = await get(encodeURI(path))
    expect([status, complete]).toEqual([200, true])
    const { events, trailer } = parseNdjson(text)
    expect(events).toEqual(listed)
    expect(trailer).toMatchObject({ count: listed.length, firstId: listed[0].id, lastId: listed.at(-1).id })
    for (const [index, line] of text.split('\n').slice(0, -2).entries()) {
      expect(line).toBe(JSON.stringify(listed[index]))
    }
  })

  it('has the whole log where the list has the newest 100', async () => {
    const { events, trailer } = parseNdjson((await get('/events')).text)
    expect(idsOf(events)).toEqual(Array.from({ length: total }, (_, index) => total - index))
    expect(trailer).toEqual({ count: total, firstId: total, lastId: 1, filter: {} })
    expect(events.slice(0, 100)).toEqual((await json('/events')).events)
    expect(pages).toBeGreaterThanOrEqual(total / pageSize)
  })

  it('is the same as CSV: a header row, a row per event, objects as JSON text, formulas escaped', async () => {
    const { text } = await get('/search/events', { accept: csv })
    const { events } = parseNdjson((await get('/search/events')).text)
    const [names = [], ...rows] = parseCsv(text)
    expect(names.join()).toBe(
      'id,createdAt,type,createdBy,createdByUserId,project,environment,featureName,' +
        'data,preData,tags,label,summary,ip,groupType,groupId',
    )
    expect(rows.pop()).toEqual(['#trailer', String(total), String(total), '1', '{}', ...Array(11).fill('')])
    const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
    for (const [index, row] of rows.entries()) {
      const event = events[index]
      const guarded = { createdBy: event.createdBy.replace(/^=/, "'="), groupId: event.groupId?.replace(/^=/, "'=") }
      const values = { ...event, ...guarded }
      expect(row).toEqual(names.map((name) => (values[name] == null ? '' : cell(values[name]))))
    }
    expect(rows).toHaveLength(total)
    expect(rows.some((row) => row.includes("'=640"))).toBe(false)
    expect(rows.some((row) => row.includes("'=700"))).toBe(true)
  })

  it('has the groups of the events in every CSV, and in the NDJSON only of the search', async () => {
    const first = async (path: string) => parseNdjson((await get(path)).text).events.at(-1)
    expect(await first('/search/events')).toMatchObject({ id: 1, groupType: 'transaction', groupId: '=0' })
    expect(await first('/events')).not.toHaveProperty('groupId')
    const { events } = parseCsvExport((await get('/events', { accept: csv })).text)
    expect(events.at(-1)).toMatchObject({ id: '1', groupType: 'transaction', groupId: "'=0" })
  })

  // Which events an export has does not depend on its format.
  const read = async (path: string) => parseNdjson((await get(path)).text)

  it('begins with the oldest event with order=asc', async () => {
    for (const path of ['/events?project=shop', '/events/checkout?', '/search/events?type=IS:feature-archived']) {
      const [down, up] = [await read(`${path}&order=desc`), await read(`${path}&order=asc`)]
      expect(up.events).toEqual([...down.events].reverse())
      expect(up.trailer).toEqual({
        ...down.trailer,
        firstId: down.trailer.lastId,
        lastId: down.trailer.firstId,
      })
    }
  })

  it.each([
    ['asc', 'after'],
    ['desc', 'before'],
  ])('order=%s: is resumed by %s=<the last id> without a gap', async (order, cursor) => {
    const path = `/search/events?project=IS:shop&order=${order}`
    const whole = idsOf((await read(path)).events)
    for (const count of [1, 166, whole.length]) {
      const rest = await read(`${path}&${cursor}=${whole[count - 1]}`)
      expect(idsOf(rest.events)).toEqual(whole.slice(count))
      expect(rest.trailer.count).toBe(whole.length - count)
    }
  })

  it('has only events between after and before, in either order', async () => {
    for (const [after, before] of [
      [0, 1],
      [17, 18],
      [99, 1101],
      [1300, 5000],
    ] as const) {
      const ids = Array.from({ length: total }, (_, index) => index + 1).filter((id) => id > after && id < before)
      const up = await read(`/events?order=asc&after=${after}&before=${before}`)
      expect(idsOf(up.events)).toEqual(ids)
      expect(up.trailer).toEqual({
        filter: {},
        count: ids.length,
        firstId: ids.at(0) ?? null,
        lastId: ids.at(-1) ?? null,
      })
      expect(idsOf((await read(`/events?after=${after}&before=${before}`)).events)).toEqual(ids.reverse())
    }
  })

  it.each([
    ['/events', {}],
    ['/events?project=shop&order=asc&after=3', { project: ['shop'] }],
    ['/events?project=%00', { project: ['\u0000'] }],
    ['/events/checkout', { featureName: ['checkout'] }],
    ['/search/events?limit=3&offset=1&before=9', {}],
    [
      '/search/events?project=IS_ANY_OF:shop,blog&feature=IS:checkout',
      { feature: ['checkout'], project: ['shop', 'blog'] },
    ],
    [
      '/search/events?from=IS:2026-01-01&to=IS:2026-12-31&id=IS:7&createdBy=IS:x',
      { id: [7], createdBy: [], from: '2026-01-01', to: '2026-12-31' },
    ],
    ['/search/events?query=%3D"1,;\n', { query: '="1,;\n' }],
  ])('names the filter of the request in the trailer: %s', async (path, filter) => {
    expect((await read(encodeURI(path).replaceAll('%25', '%'))).trailer.filter).toEqual(filter)
  })

  it.each(formats)('in $format ends without a trailer if a later page fails', async ({ accept, parse }) => {
    beforePage = async (read) => {
      if (read === 2) throw new Error('select body from ffcr_events: connection lost at $1')
    }
    const answer = await get('/events', { accept })
    expect([answer.status, answer.complete]).toEqual([200, false])
    expect(answer.text).not.toMatch(/trailer|ffcr_events/)
    expect(broken).toEqual(['A response failed after its headers were sent; its connection is closed.'])
    expect(parse((await get('/events', { accept })).text).trailer.count).toBe(total)
  })

  it('is an ordinary error response when the first page fails', async () => {
    beforePage = async () => {
      throw new Error('select body from ffcr_events: connection lost at $1')
    }
    const { text, ...answer } = await get('/events')
    expectRefusal({ ...answer, text, body: JSON.parse(text) }, 500, 'UnknownError')
    expect(answer.headers).not.toHaveProperty('content-disposition')
  })

  it('has the events from its start if newest first, and later ones as well if oldest first', async () => {
    let last = total
    for (const order of ['desc', 'asc']) {
      const before = last
      // One event at each page that is read, except the first.
      beforePage = (read) => {
        if (read === 0 || read > 2) return undefined
        last += 1
        return app.router.events.record({ type: 'project-created', project: `new-${last}` })
      }
      pages = 0
      const { trailer } = parseNdjson((await get(`/search/events?order=${order}`)).text)
      expect([last - before, trailer.count]).toEqual([2, order === 'asc' ? last : before])
    }
  })

  it('shows only what the caller can read, like the lists', async () => {
    const key = 'reader of shop'
    for (const path of ['/events?project=shop', '/events/checkout', '/search/events']) {
      const { events } = parseNdjson((await get(path, { key })).text)
      expect(new Set(events.map(({ project }) => project))).toEqual(new Set(['shop']))
    }
    const { total: all } = await json('/search/events', key)
    expect(parseNdjson((await get('/search/events', { key })).text).trailer.count).toBe(all)
    expect(parseNdjson((await get('/search/events?project=IS_ANY_OF:shop,blog', { key })).text).trailer.count).toBe(all)
    const { key: none } = people.eve
    expect(parseNdjson((await get('/search/events', { key: none })).text).trailer.count).toBe(0)
  })

  it.each([
    ['NDJSON', ndjson, 'application/x-ndjson', 'events.ndjson'],
    ['CSV', csv, 'text/csv; charset=utf-8; header=present', 'events.csv'],
  ])('is a file that is not cached, %s, and only its head for HEAD', async (_, accept, type, file) => {
    for (const path of ['/events', '/events/checkout', '/search/events']) {
      const { headers, status } = await get(path, { accept })
      const expected = {
        'content-type': type,
        'content-disposition': `attachment; filename="${file}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        vary: 'Authorization, Accept',
      }
      expect([status, headers]).toMatchObject([200, expected])
      expect(headers).not.toHaveProperty('etag')
      const head = await get(path, { accept, method: 'HEAD' })
      expect(head).toMatchObject({ status: 200, headers: expected, text: '', complete: true })
    }
  })

  it.each([
    [undefined, 'application/json'],
    ['application/json', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', 'application/json'],
    ['application/xml, rubbish', 'application/json'],
    ['', 'application/json'],
    ['application/json, application/x-ndjson', 'application/json'],
    ['application/json;q=0.5, application/x-ndjson', ndjson],
    ['application/x-ndjson, */*;q=0.1', ndjson],
    ['text/csv;q=0.9, application/x-ndjson;q=0.8', csv],
    ['text/csv, */*;q=0', csv],
    ['application/x-ndjson;q=0, text/csv;q=0', 'application/json'],
  ])('is only sent if the client accepts it: %j gives %s', async (accept, type) => {
    for (const path of ['/events?project=blog', '/events/checkout', '/search/events']) {
      const { status, headers } = await get(path, { accept })
      expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type])
    }
  })

  it('ignores the parameters of an export in a request for a list', async () => {
    for (const path of ['/events?project=blog', '/events/checkout?']) {
      const { events } = await json(path)
      expect((await json(`${path}&order=up&after=x&before=y`)).events).toEqual(events)
    }
  })

  it('stops reading when the client leaves, and holds no connection for one that waits', async () => {
    const filler = { type: 'feature-updated' as const, project: 'large', data: { text: 'x'.repeat(5_000) } }
    const large = 8 * pageSize
    for (let page = 0; page < large / pageSize; page += 1) {
      await app.router.events.record(Array.from({ length: pageSize }, () => filler))
    }
    for (const { accept, parse } of formats) {
      pages = 0
      const slow = await openExport({ port: app.port, path: '/events?project=large', accept })
      slow.pause()
      const read = await settled(() => pages)
      const { pool } = database.knex.client
      await until(() => pool.numUsed() === 0 && pool.numPendingAcquires() === 0)
      expect((await get('/events/checkout')).complete).toBe(true)
      const { text } = await readExport(slow)
      expect(parse(text).trailer.count).toBe(large)
      expect(Buffer.byteLength(text)).toBeGreaterThan(20_000_000)
      expect(pages).toBeGreaterThan(read + 1)
      pages = 0
      const leaving = await openExport({ port: app.port, path: '/events?project=large', accept })
      await once(leaving, 'data')
      leaving.destroy()
      expect(await settled(() => pages)).toBeLessThan(large / pageSize)
    }
    expect(broken).toEqual([])
  })

  it.each<[string, string, Partial<ExportRequest>, number, string]>([
    ['another order', '/events?order=up', {}, 400, 'BadDataError'],
    ['a cursor that is no id', '/events/checkout?after=x', {}, 400, 'BadDataError'],
    ['a cursor below zero', '/search/events?before=-1', {}, 400, 'BadDataError'],
    ['bounds with nothing between', '/events?after=7&before=7', {}, 400, 'BadDataError'],
    ['a malformed filter', '/search/events?type=feature-updated', {}, 400, 'BadDataError'],
    ['a malformed flag', '/events/bad%20name', {}, 400, 'BadDataError'],
    ['the instance for a reader of a project', '/events', { key: 'reader of shop' }, 403, 'PermissionError'],
    [
      'a search of another project',
      '/search/events?project=IS:blog',
      { key: 'reader of shop' },
      403,
      'PermissionError',
    ],
  ])('rejects %s', async (_, path, asked, status, name) => {
    for (const accept of [ndjson, csv]) {
      const { text, ...answer } = await get(path, { accept, ...asked })
      expectRefusal({ ...answer, text, body: JSON.parse(text) }, status, name)
      expect(answer.headers).not.toHaveProperty('content-disposition')
    }
  })
})
