import { once } from 'node:events'
import type { Grant, Storage } from '../../../src'
import { storedFacts } from '../../../src/kernel/writer/stored-facts'
import { people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { fillSample, type Sample } from '../../support/verify/sample'
import { parseNdjson, readExport, openExport as request, settled } from '../events/support/export-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'

const keys = [
  ...['id', 'project', 'environment', 'title', 'state', 'createdAt', 'updatedAt', 'author', 'changes', 'votes'],
  ...['voidedApprovals', 'requirements', 'objections', 'checks', 'customFields', 'discussion', 'schedule'],
  ...['emergency', 'ended', 'lastEvent'],
]

const grants: Readonly<Record<string, readonly Grant[]>> = {
  admin: [{ permission: 'ADMIN' }],
  'reader of all': [{ permission: 'READ_CHANGE_REQUEST' }],
  'reader of shop': [{ permission: 'READ_CHANGE_REQUEST', project: 'shop' }],
  nobody: [],
}

/** The users whom the directory still has; the others were deleted. */
const directory = [people.ann.user, { id: 2, username: 'ben', name: 'Ben Ode', imageUrl: 'https://img.example/b' }]

describe('GET /export/change-requests', () => {
  let database: OpenDatabase
  let app: TestApp
  let sample: Sample
  let pages = 0
  let beforePage: (pages: number) => Promise<unknown> | undefined = () => undefined
  const lookUps: number[][] = []
  const broken: string[] = []
  const unexpected = (): never => {
    throw new Error('The export must not call this hook.')
  }

  const open = (query = '', key = 'admin') =>
    request({ port: app.port, path: `/export/change-requests${query}`, key, accept: '*/*' })
  const get = async (query = '', key = 'admin') => readExport(await open(query, key))
  const read = async (query = '', key = 'admin') => {
    const { events: lines, trailer } = parseNdjson((await get(query, key)).text)
    return { lines, trailer, ids: lines.map(({ id }) => id as number) }
  }
  const lineOf = async (name: keyof Sample) => (await read()).lines.find(({ id }) => id === sample[name])

  beforeAll(async () => {
    database = await sqlite.open()
    sample = await fillSample(database.storage)
    const storage: Storage = {
      ...database.storage,
      async listById(...asked) {
        pages += 1
        await beforePage(pages - 1)
        return database.storage.listById(...asked)
      },
    }
    const error = (_facts: object, message: string) => void broken.push(message)
    app = await startApp({
      storage,
      logger: { debug() {}, info() {}, warn() {}, error },
      authenticate: ({ headers: { authorization = '' } }) => ({ id: 2, grants: grants[authorization] ?? [] }),
      users: {
        find: (ids) => {
          lookUps.push([...ids])
          return directory.filter(({ id }) => ids.includes(id))
        },
        reviewers: unexpected,
      },
      flags: { current: unexpected, apply: unexpected },
      approvalRules: unexpected,
      checks: unexpected,
      freezes: unexpected,
      validate: unexpected,
    })
  })

  beforeEach(() => {
    beforePage = () => undefined
    pages = 0
    lookUps.length = 0
    broken.length = 0
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('has a line for each change request except drafts, by id, and calls no hook but one look-up of names', async () => {
    const { lines, ids, trailer } = await read()
    const { draft, ...others } = sample
    expect(ids).toEqual(Object.values(others).sort((one, other) => one - other))
    expect(ids).not.toContain(draft)
    expect(trailer).toEqual({ count: ids.length, firstId: ids[0], lastId: ids.at(-1), filter: {} })
    expect([lookUps.length, pages]).toEqual([1, 1])
    expect(new Set(lookUps[0])).toEqual(new Set([1, 2, 4]))
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(keys)
      expect(violations('exported-change-request', line)).toEqual([])
    }
  })

  it('has what is stored: the change request, its author with the current name, and its changes', async () => {
    const line = await lineOf('applied')
    const author = { id: 2, username: 'Ben Ode', imageUrl: 'https://img.example/b', kind: 'person', onBehalfOf: null }
    expect(line).toMatchObject({
      project: 'shop',
      title: `Change request #${sample.applied}`,
      state: 'Applied',
      author,
    })
    const { id } = line.changes[0]
    expect(line.changes[0]).toEqual({
      ...{ id, action: 'updateEnabled', feature: expect.stringMatching(/^flag-/), payload: { enabled: true }, author },
      ...{ createdAt: line.createdAt, replaces: null },
    })
  })

  it('shows a deleted user without a name, and a machine as such', async () => {
    const { votes } = await lineOf('applied')
    expect(votes).toMatchObject([{ kind: 'approval', person: { id: 4, username: null }, counted: true }])
    const { author } = await lineOf('of an agent')
    expect(author).toMatchObject({ id: 9, username: 'agent', kind: 'agent' })
  })

  it.each<[keyof Sample, object]>([
    ['in review', { state: 'In review', votes: [], requirements: null, ended: null, schedule: null, emergency: null }],
    ['applied', { requirements: [{ name: 'minimum', approvals: 1, given: 1 }], ended: { state: 'Applied' } }],
    ['own approval', { state: 'Approved', votes: [{ kind: 'approval', person: { id: 1 }, counted: null }] }],
    ['scheduled', { schedule: { status: 'pending', reason: null, by: { id: 4 } } }],
    ['suspended', { schedule: { status: 'failed', reason: 'conflicts', by: { id: 4 } } }],
    ['run', { ended: { state: 'Applied', by: { id: 1, username: 'Ann Lee' }, scheduled: true }, schedule: null }],
    [
      'from a draft',
      {
        emergency: { reason: 'The shop is down since noon.', acknowledgedBy: null, acknowledgedAt: null },
        requirements: [{ name: 'minimum', approvals: 1, given: 0 }],
      },
    ],
    ['rejected', { votes: [{ kind: 'rejection', person: { id: 4 }, counted: null }], ended: { state: 'Rejected' } }],
    ['edited', { votes: [], voidedApprovals: [{ by: { id: 4 }, cause: 'edit', causedBy: { id: 2 } }] }],
  ])('has the facts of the one "%s"', async (name, facts) => {
    expect(await lineOf(name)).toMatchObject(facts)
  })

  it('has the id of the newest event, and no event is newer than updatedAt', async () => {
    for (const { id, updatedAt, lastEvent } of (await read()).lines) {
      const { json } = await database.storage.eventPage({ changeRequestIds: [id] }, { before: 2 ** 40 }, 1)
      const event = JSON.parse(json.toString())
      expect(lastEvent).toBe(event.id)
      expect(event.createdAt <= updatedAt).toBe(true)
    }
  })

  it.each(['changedFrom', 'changedTo'] as const)('selects by %s, an instant or a day in UTC', async (parameter) => {
    const { lines } = await read()
    const times: string[] = lines.map(({ updatedAt }) => updatedAt).sort()
    const middle = times[7] as string
    const isIn = (updatedAt: string) => (parameter === 'changedFrom' ? updatedAt >= middle : updatedAt < middle)
    const expected = lines.filter(({ updatedAt }) => isIn(updatedAt)).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(3)
    const { ids, trailer } = await read(`?${parameter}=${middle}`)
    expect([ids, trailer.filter]).toEqual([expected, { [parameter]: middle }])

    const [day, all] = [middle.slice(0, 'yyyy-MM-dd'.length), lines.map(({ id }) => id)]
    expect((await read(`?${parameter}=${day}`)).ids).toEqual(all)
    const other = new Date(Date.parse(day) + (parameter === 'changedFrom' ? 1 : -1) * 24 * 60 * 60 * 1000)
    expect((await read(`?${parameter}=${other.toISOString().slice(0, day.length)}`)).ids).toEqual([])
    const last = parameter === 'changedFrom' ? '0001-01-01' : '9999-12-31'
    expect((await read(`?${parameter}=${last}`)).ids).toEqual(all)
  })

  it('continues after an id', async () => {
    const { ids } = await read()
    const rest = await read(`?after=${ids[4]}`)
    expect(rest.ids).toEqual(ids.slice(5))
    expect(rest.trailer).toEqual({ count: ids.length - 5, firstId: ids[5], lastId: ids.at(-1), filter: {} })
    expect((await read(`?after=${ids.at(-1)}`)).trailer).toEqual({ count: 0, firstId: null, lastId: null, filter: {} })
  })

  it('has the projects that the caller can read, and those that are named', async () => {
    const { ids } = await read()
    for (const key of ['reader of all', 'reader of shop']) expect((await read('', key)).ids).toEqual(ids)
    expect((await read('', 'nobody')).trailer.count).toBe(0)
    const both = await read('?project=shop&project=blog', 'reader of all')
    expect([both.ids, both.trailer.filter]).toEqual([ids, { project: ['shop', 'blog'] }])
    expect((await read('?project=blog')).ids).toEqual([])
  })

  it('ends without a trailer if a later page fails, and is an error response if the first one does', async () => {
    const failure = async () => {
      throw new Error('select document from ffcr_change_requests: connection lost at $1')
    }
    beforePage = failure
    const { text, ...first } = await get()
    expectRefusal({ ...first, text, body: JSON.parse(text) }, 500, 'UnknownError')
    broken.length = 0
    await fillLarge()
    pages = 0
    beforePage = (read) => (read === 2 ? failure() : undefined)
    const answer = await get()
    expect([answer.status, answer.complete]).toEqual([200, false])
    expect(answer.text).not.toMatch(/trailer|ffcr_/)
    expect(broken).toEqual(['A response failed after its headers were sent; its connection is closed.'])
  })

  it('reads pages of bounded size with a look-up for each, waits for a slow client, and stops if it leaves', async () => {
    await fillLarge()
    const slow = await open()
    slow.pause()
    const seen = await settled(() => pages)
    const { text } = await readExport(slow)
    const { trailer } = parseNdjson(text)
    expect([trailer.count, pages]).toEqual([Object.keys(sample).length - 1 + large, lookUps.length])
    expect(pages).toBeGreaterThan(Math.floor(Buffer.byteLength(text) / (3 << 20)))
    expect(pages).toBeGreaterThan(seen + 1)
    const all = pages
    pages = 0
    const leaving = await open()
    await once(leaving, 'data')
    leaving.destroy()
    expect(await settled(() => pages)).toBeLessThan(all)
  })

  it('is a file that is not cached', async () => {
    const { headers } = await get('?after=9000000')
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="change-requests.ndjson"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'Authorization',
    })
  })

  it.each([
    ['an id that is none', '?after=x', 'admin', 400, 'BadDataError'],
    ['a negative id', '?after=-1', 'admin', 400, 'BadDataError'],
    ['a day that does not exist', '?changedFrom=2026-02-30', 'admin', 400, 'BadDataError'],
    ['a time without a zone', '?changedTo=2026-02-03T10:00:00', 'admin', 400, 'BadDataError'],
    ['an instant that is given twice', '?changedTo=2026-02-03&changedTo=2026-02-04', 'admin', 400, 'BadDataError'],
    ['the name of a project that is malformed', '?project=bad%20name', 'admin', 400, 'BadDataError'],
    ['another project than the caller can read', '?project=blog', 'reader of shop', 403, 'PermissionError'],
    ['one of several', '?project=shop&project=blog', 'reader of shop', 403, 'PermissionError'],
    ['any project for a key without permissions', '?project=shop', 'nobody', 403, 'PermissionError'],
  ])('rejects %s', async (_, query, key, status, name) => {
    const { text, ...answer } = await get(query, key)
    expectRefusal({ ...answer, text, body: JSON.parse(text) }, status, name)
    expect(answer.headers).not.toHaveProperty('content-disposition')
  })

  const large = 200

  /** 200 change requests of 100 kB: twenty pages, and more than the buffers of a connection. */
  async function fillLarge(): Promise<void> {
    const { storage } = database
    const { items } = await storage.listById({}, { after: 0, limit: 1, bytes: 1 })
    const [stored] = items
    if (stored === undefined) throw new Error('There is no change request.')
    if ((await storage.listById({}, { after: 0, limit: 1_000, bytes: 2 ** 30 })).items.length > large) return
    for (const id of await storage.nextIds('changeRequest', large)) {
      const changeRequest = { ...stored.changeRequest, id, title: 'x'.repeat(100_000), project: 'large' }
      const write = { changeRequest, ...storedFacts(changeRequest), open: false, version: 1, expectedVersion: 0 }
      await storage.commit({ ...write, before: null, events: [] })
    }
  }
})
