import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { knex as createKnex } from 'knex'
import { Pool } from 'pg'
import type { Storage } from '../../../src'
import { postgresStorage } from '../../../src/storage/handles/postgres'
import { knexStorage } from '../../../src/storage/knex'
import { enable, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, openAgain, type Place, postgres } from '../../support/databases'
import { openPool } from '../../support/databases/handles'
import { Gate } from '../support/gate'
import { startProxy, type TcpProxy } from '../support/proxy'
import { until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

/** Knex would log each connection that it drops to the console. */
const silent = { debug() {}, warn() {}, error() {}, deprecate() {} }

interface Through {
  readonly storage: Storage
  /** The same pool, with a short timeout. */
  readonly shortTimeout: Storage
  inUse(): number
  close(): Promise<void>
}

const handles: readonly (readonly [name: string, open: (place: Place) => Through])[] = [
  [
    'Knex',
    (place) => {
      const { knex, storage, close } = openAgain(place, { pool: { min: 0, max: 1 }, log: silent })
      const shortTimeout = knexStorage({ knex, ...place.storage, statementTimeoutMs: 500 })
      return { storage, shortTimeout, inUse: () => knex.client.pool.numUsed(), close }
    },
  ],
  [
    'pg.Pool',
    (place) => {
      const { pool, storage, close } = openPool(place, { max: 1 })
      const { durability: _, ...options } = place.storage
      const shortTimeout = postgresStorage({ pool, ...options, statementTimeoutMs: 500 })
      return { storage, shortTimeout, inUse: () => pool.totalCount - pool.idleCount, close }
    },
  ],
]

describe.each(handles)(
  'a connection of %s to Postgres that stops responding without being closed',
  (_, openThrough) => {
    let database: OpenDatabase
    let proxy: TcpProxy
    let through: Through
    let app: TestApp
    let other: TestApp | undefined
    let gate: Gate | undefined

    beforeEach(async () => {
      database = await postgres.open()
      const { knex, storage } = database.place
      proxy = await startProxy(new URL(String(knex.connection)))
      through = openThrough({ knex: { ...knex, connection: proxy.url } as typeof knex, storage })
      app = await startApp({ storage: through.storage })
    })

    afterEach(async () => {
      await gate?.open()
      gate = undefined
      proxy.close()
      await other?.close()
      other = undefined
      await app.close()
      await through.close()
      await database.close()
    })

    const calls = [
      ['a write', (one: TestApp) => one.propose(enable('search'))],
      ['a list of the instance', (one: TestApp) => one.events()],
      ['a list of a project', (one: TestApp) => one.events('?project=shop')],
    ] as const

    it.each(calls)('makes %s fail with 503 and Retry-After, and the next one succeeds', async (_, call) => {
      await app.propose(enable('checkout')).expect(200)
      other = await startApp({ storage: through.shortTimeout })
      // After the first commit the storage checks whether the index of events needs a new block.
      await until(async () => through.inUse() === 0)
      proxy.freeze()
      const answer = await call(other)
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('1')
      expect(answer.body.message).toMatch(/^The database is unreachable/)
      expect((await call(app)).status).toBe(200)
      expect(proxy.connections()).toBe(2)
    })

    it('after a commit was sent gives a 503, and the changes are stored once', async () => {
      const commits = await Gate.build(database, 'shop')
      gate = commits
      await commits.close()
      other = await startApp({ storage: { ...through.storage, commit: through.shortTimeout.commit } })
      const answer = other
        .propose([enable('checkout'), enable('search')])
        .then(({ status, body }) => [status, body.message])
      await until(async () => (await commits.waiting()) === 1)
      proxy.freeze()
      await commits.open()
      const unknown = expect.stringContaining('A write may have succeeded')
      expect(await answer).toEqual([503, unknown])
      await app.propose(enable('third')).expect(200)
      const store = await readStore(database.place.knex)
      expect(flags(store)).toEqual(['checkout', 'search', 'third'])
      expect(flaws(store)).toEqual([])
    })

    it('at a page in the middle of a list ends the whole list', async () => {
      for (let n = 0; n < 2; n += 1) {
        await app.router.events.record(
          Array.from({ length: 400 }, () => ({ type: 'feature-created', createdBy: 'ann', project: 'shop' })),
        )
      }
      let pages = 0
      const eventPage: Storage['eventPage'] = (...args) => {
        pages += 1
        if (pages === 1) return through.storage.eventPage(...args)
        proxy.freezeAfter(10_000)
        return through.shortTimeout.eventPage(...args)
      }
      other = await startApp({ storage: { ...through.storage, eventPage } })
      await expect(other.events('?project=shop')).rejects.toThrow('aborted')
      expect(pages).toBe(2)
      expect((await app.events('?project=shop')).body.events).toHaveLength(800)
    })
  },
)

describe('a server that accepts connections and does not respond', () => {
  let server: Server
  const connection = { host: '127.0.0.1', port: 0, connectionTimeoutMillis: 50 }

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    connection.port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  it.each([
    [
      'Knex',
      () => {
        const knex = createKnex({ client: 'pg', connection, pool: { min: 0 }, log: silent })
        return { storage: knexStorage({ knex }), close: () => knex.destroy() }
      },
    ],
    [
      'pg.Pool',
      () => {
        const pool = new Pool(connection)
        return { storage: postgresStorage({ pool }), close: () => pool.end() }
      },
    ],
  ])('is unreachable after the connectionTimeoutMillis of the host: %s', async (_, open) => {
    const { storage, close } = open()
    const error = await storage.eventHead({}).catch((thrown) => thrown)
    expect(storage.failureOf(error)).toBe('unreachable')
    await close()
  })
})
