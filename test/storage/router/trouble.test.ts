import { setImmediate } from 'node:timers/promises'
import type { Storage } from '../../../src'
import { knexStorage } from '../../../src/storage/knex'
import { violations } from '../../http/support/schema'
import { enable, startApp, type TestApp } from '../../support/app'
import { databases, type OpenDatabase, type OpenOptions } from '../../support/databases'
import { contents, rowCounts } from '../../support/databases/tables'

const leaks = /select |insert into|\$1|node_modules|sqlite_|ffcr_|secret|\.[cm]?[jt]s:/i

describe.each(databases)('trouble with the storage on $name', ({ name, open }) => {
  const started: { close(): Promise<void> }[] = []

  afterEach(async () => {
    for (const one of started.splice(0).reverse()) await one.close()
  })

  async function start(options: OpenOptions = {}, change: (storage: Storage) => Partial<Storage> = () => ({})) {
    const database = await open(options)
    started.push(database)
    const app = await startApp({ storage: { ...database.storage, ...change(database.storage) } })
    started.push(app)
    return { database, app }
  }

  async function expectUnavailable(request: ReturnType<TestApp['propose']>): Promise<void> {
    const { status, body, headers } = await request
    expect([status, body.name]).toEqual([503, 'UnavailableError'])
    expect(violations('error', body)).toEqual([])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['cache-control']).toBe('no-store')
    expect(JSON.stringify(body)).not.toMatch(leaks)
  }

  it('a connection that breaks after the commit is 503, and the write is not repeated', async () => {
    let commits = 0
    const { app, database } = await start({}, (storage) => ({
      async commit(write) {
        commits += 1
        await storage.commit(write)
        throw name === 'SQLite'
          ? new TypeError('The database connection is not open')
          : Object.assign(new Error('COMMIT; - Connection terminated unexpectedly'), { code: 'ECONNRESET' })
      },
    }))
    await expectUnavailable(app.propose(enable()))
    expect(commits).toBe(1)
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 1, events: 2 })
  })

  describe('an event that the database rejects', () => {
    /** From here on the log rejects change-added events of the flag poison. */
    async function poison({ knex }: OpenDatabase): Promise<void> {
      await knex.raw(
        name === 'SQLite'
          ? `create trigger poisoned before insert on ffcr_events when new.feature_name = 'poison' and new.type = 'change-added'
             begin select raise(abort, 'secret'); end`
          : `alter table ffcr_events add check (feature_name <> 'poison' or type <> 'change-added')`,
      )
    }

    it('stores neither change nor event, for a new and for an existing change request', async () => {
      const { app, database } = await start()
      await app.propose(enable('fine'))
      await poison(database)
      const before = await contents(database.knex)
      for (const project of ['shop', 'blog']) {
        const { status, body } = await app.propose([enable('fine'), enable('poison')], { project })
        expect([status, body.name]).toEqual([500, 'UnknownError'])
        expect(JSON.stringify(body)).not.toMatch(leaks)
      }
      expect(await contents(database.knex)).toEqual(before)
      expect((await app.propose(enable('fine'))).headers.etag).toBe('"1-2"')
    })

    it('fails alone among writes that are committed together', async () => {
      let arrived = 0
      const { app, database } = await start({ pool: { min: 0, max: 1 } }, (storage) => ({
        loadProposal(key, changeIds) {
          arrived += 1
          return storage.loadProposal(key, changeIds)
        },
      }))
      await poison(database)
      const flags = Array.from({ length: 20 }, (_, index) => (index === 7 ? 'poison' : 'fine'))
      // All of them wait for the only connection, so that none is committed before the others have arrived.
      const held = await database.knex.transaction()
      const posted = flags.map((flag, index) => app.propose(enable(flag), { project: `p${index}` }).then())
      while (arrived < flags.length) await setImmediate()
      await held.rollback()
      const answers = await Promise.all(posted)
      expect(answers.map(({ status }) => status)).toEqual(flags.map((flag) => (flag === 'fine' ? 200 : 500)))
      expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 19, events: 38 })
      expect((await app.events()).body.totalEvents).toBe(38)
    })
  })

  it('a pool without a free connection is 503 soon, and works again when one is free', async () => {
    const { app, database } = await start({ pool: { min: 0, max: 1 } })
    const { knex, place } = database
    const logged: unknown[] = []
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (facts: object) => void logged.push((facts as { err: Error }).err.message),
    }
    const limited = await startApp({ storage: knexStorage({ knex, ...place.storage, acquireTimeoutMs: 200 }), logger })
    started.push(limited)
    const held = await knex.transaction()
    await Promise.all([expectUnavailable(limited.propose(enable())), expectUnavailable(limited.events())])
    expect(new Set(logged)).toEqual(new Set(['No database connection became free within 200 ms.']))
    await held.rollback()
    expect([(await app.propose(enable())).status, (await app.events()).status]).toEqual([200, 200])
  })

  it('missing tables are 503 until migrate()', async () => {
    const { app } = await start({ migrate: false })
    await expectUnavailable(app.propose(enable()))
    await expectUnavailable(app.events())
    expect((await app.propose(enable())).body.message).toContain('migrate()')
    await app.router.migrate()
    expect([(await app.propose(enable())).status, (await app.events()).status]).toEqual([200, 200])
  })

  it('a database that is read-only is 503 for writes and 200 for reads', async () => {
    const { app, database } = await start({ pool: { min: 1, max: 1 } })
    await app.propose(enable())
    const setting = name === 'SQLite' ? 'pragma query_only =' : 'set default_transaction_read_only to'
    await database.knex.raw(`${setting} on`)
    for (const query of ['', '?project=shop']) expect((await app.events(query)).body.events).toHaveLength(2)
    const answer = app.propose(enable())
    await expectUnavailable(answer)
    expect((await answer).body.message).toContain('read-only')
    // On Postgres, the write has closed the connection that has the setting.
    await database.knex.raw(`${setting} off`)
    expect((await app.propose(enable())).status).toBe(200)
  })

  const races = {
    // The snapshot is too old each time.
    SQLite: [{ code: 'SQLITE_BUSY_SNAPSHOT' }],
    // A serialization failure, a deadlock, and the unique index of open change requests.
    Postgres: [{ code: '40001' }, { code: '40P01' }, { code: '23505', constraint: 'ffcr_change_requests_open' }],
  }

  it('a write that loses every race is retried and then 503, never 500', async () => {
    let commits = 0
    let error: object | undefined
    const commit = async () => {
      commits += 1
      if (error !== undefined) throw Object.assign(new Error('secret'), error)
      return false
    }
    const { app, database } = await start({}, () => ({ commit }))
    for (error of [undefined, ...races[name]]) {
      commits = 0
      await expectUnavailable(app.propose(enable()))
      expect([error, commits > 2]).toEqual([error, true])
    }
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 0, events: 0 })
  })

  it('a write that has waited for a lock is 503, and not retried', async () => {
    let commits = 0
    const commit = async () => {
      commits += 1
      throw Object.assign(new Error('secret'), { code: name === 'SQLite' ? 'SQLITE_BUSY' : '55P03' })
    }
    const { app } = await start({}, () => ({ commit }))
    await expectUnavailable(app.propose(enable()))
    expect(commits).toBe(1)
  })

  it('a write that loses races is decided again on the current state, and has one effect', async () => {
    let losses = 2
    const { app, database } = await start({}, (storage) => ({
      commit: async (write) => (losses-- > 0 ? false : storage.commit(write)),
    }))
    expect((await app.propose(enable())).status).toBe(200)
    losses = 2
    expect((await app.propose(enable())).headers.etag).toMatch(/-2"$/)
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 1, events: 3 })
  })

  const codes = {
    SQLite: [
      ['SQLITE_BUSY', 503],
      ['SQLITE_FULL', 503],
      ['SQLITE_CANTOPEN', 503],
      ['SQLITE_CORRUPT', 500],
      ['SQLITE_NOTADB', 500],
      ['ECONNREFUSED', 500],
    ],
    Postgres: [
      ['57P01', 503],
      ['08006', 503],
      ['53300', 503],
      ['53100', 503],
      ['55P03', 503],
      ['57014', 503],
      ['ECONNREFUSED', 503],
      ['SQLITE_BUSY', 500],
    ],
  } as const

  it('a read that fails is 503 for an outage and 500 for anything else', async () => {
    let failing: string
    const eventHead = async () => {
      throw Object.assign(new Error('secret'), { code: failing })
    }
    const { app } = await start({}, () => ({ eventHead }))
    for (const [code, expected] of codes[name]) {
      failing = code
      if (expected === 503) await expectUnavailable(app.events())
      const { status, body } = await app.events()
      expect([code, status, body.name]).toEqual([
        code,
        expected,
        expected === 503 ? 'UnavailableError' : 'UnknownError',
      ])
      expect(JSON.stringify(body)).not.toMatch(leaks)
    }
  })
})
