import type { ChangeRequestRouterOptions } from '../../../src'
import { enable, type Host, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { rowCounts } from '../../support/databases/tables'
import { violations } from '../support/schema'

describe('options that concern POST change-requests', () => {
  let database: OpenDatabase
  const apps: TestApp[] = []

  beforeEach(async () => {
    database = await sqlite.open()
  })

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
    await database.close()
  })

  async function start(options: Partial<ChangeRequestRouterOptions>, host: Host = {}): Promise<TestApp> {
    const app = await startApp({ storage: database.storage, ...options }, host)
    apps.push(app)
    return app
  }

  it('requiredApprovals is copied at creation and does not follow the option', async () => {
    const strict = await start({ requiredApprovals: 3 })
    expect((await strict.propose(enable())).body.minApprovals).toBe(3)
    const lax = await start({ requiredApprovals: 1 })
    expect((await lax.propose(enable())).body.minApprovals).toBe(3)
    expect((await lax.propose(enable(), { project: 'blog' })).body.minApprovals).toBe(1)
  })

  it('stateTimestamps: false leaves them out', async () => {
    const app = await start({ stateTimestamps: false })
    const { body } = await app.propose(enable())
    expect(body).not.toHaveProperty('stateTimestamps')
    expect(violations('change-request', body)).toEqual([])
  })

  it('gravatar: false returns null without a picture', async () => {
    const app = await start({ gravatar: false })
    const { body } = await app.propose(enable(), { key: people.ben.key })
    expect(body.createdBy).toEqual({ id: 2, username: 'ben@example.com', imageUrl: null })
    expect(violations('change-request', body)).toEqual([])
    expect((await app.propose(enable())).body.createdBy.imageUrl).toBe(people.ann.user.imageUrl)
  })

  it('changeRequestsEnabled: false rejects with 400', async () => {
    const app = await start({ changeRequestsEnabled: false })
    const { status, body } = await app.propose(enable())
    expect([status, body.name]).toEqual([400, 'BadDataError'])
    expect(body.details).toEqual([{ message: body.message, code: 'change-requests-disabled' }])
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 0, events: 0 })
  })

  it.each([
    ['off', {}, 0, null],
    ['on', { recordIp: true }, 0, '127.0.0.1'],
    ['on behind a trusted proxy', { recordIp: true }, 1, '203.0.113.9'],
  ])('recordIp %s: the address in the events', async (_name, options, proxies, ip) => {
    const app = await start(options, { before: (host) => void host.set('trust proxy', proxies) })
    await app.propose(enable(), { headers: { 'X-Forwarded-For': '203.0.113.9' } })
    const { body } = await app.events()
    expect(body.events.map((event: { ip: unknown }) => event.ip)).toEqual([ip, ip])
  })

  it('limits.changesPerRequest and limits.changesPerChangeRequest set the limits', async () => {
    const app = await start({ limits: { changesPerRequest: 2, changesPerChangeRequest: 3 } })
    const statuses = []
    for (const count of [3, 2, 2, 1, 1]) statuses.push((await app.propose(Array(count).fill(enable()))).status)
    expect(statuses).toEqual([400, 200, 400, 200, 400])
  })

  describe('directory', () => {
    const directory = {
      hasProject: (project: string, environment?: string) => project === 'shop' && environment !== 'moon',
      knownFeatures: async (_project: string, features: readonly string[]) =>
        features.filter((name) => name !== 'ghost'),
    }

    it.each([
      [
        'an unknown project',
        { project: 'blog' },
        [enable()],
        'The project blog has no environment production, or does not exist.',
      ],
      [
        'an unknown environment',
        { environment: 'moon' },
        [enable()],
        'The project shop has no environment moon, or does not exist.',
      ],
      ['an unknown flag', {}, [enable(), enable('ghost')], 'The project has no flag named ghost.'],
    ])('%s is 404, and nothing is stored', async (_name, place, changes, message) => {
      const app = await start({ directory })
      const { status, body } = await app.propose(changes, place)
      expect([status, body]).toEqual([
        404,
        { id: expect.any(String), name: 'NotFoundError', message, details: [{ message }] },
      ])
      expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 0, events: 0 })
    })

    it('is not called for segments, and accepts known names', async () => {
      const asked: unknown[] = []
      const knownFeatures = (project: string, features: readonly string[]) => {
        asked.push([project, features])
        return new Set(features)
      }
      const app = await start({ directory: { knownFeatures } })
      const segment = { action: 'deleteSegment', feature: 'ghost', payload: { id: 1 } }
      expect((await app.propose(segment)).status).toBe(200)
      expect((await app.propose([enable('one'), enable('two'), enable('one')])).status).toBe(200)
      expect(asked).toEqual([['shop', ['one', 'two']]])
    })
  })

  it('a caller without a user is 403, and can read', async () => {
    const robot = { id: null, username: 'robot', grants: [{ permission: 'ADMIN' }] }
    const app = await start({ authenticate: () => robot })
    const { status, body } = await app.propose(enable())
    expect([status, body.name]).toEqual([403, 'OperationDeniedError'])
    expect(body).not.toHaveProperty('permissions')
    expect((await app.events()).body).toEqual({ version: 1, events: [], totalEvents: 0 })
  })

  it.each([
    [{ id: 7, name: 'Ann Lee', email: 'a@example.com', username: 'ann' }, 'Ann Lee', 'a@example.com'],
    [{ id: 7, name: null, email: 'a@example.com', username: 'ann' }, 'a@example.com', 'a@example.com'],
    [{ id: 7, username: 'ann' }, 'ann', 'ann'],
    [{ id: 7 }, null, 'unknown'],
  ])('of the caller %j the request shows %p and the log %p', async (actor, username, createdBy) => {
    const app = await start({ authenticate: () => actor, authorize: () => true })
    const { body } = await app.propose(enable())
    expect(body.createdBy).toMatchObject({ id: 7, username })
    expect(violations('change-request', body)).toEqual([])
    expect((await app.events()).body.events[0]).toMatchObject({ createdBy, createdByUserId: 7 })
  })
})
