import type { Pool, PoolClient } from 'pg'
import supertest from 'supertest'
import type { FlagGateway } from '../../../../src'
import { type PostgresStorage, postgresStorage } from '../../../../src/storage/handles/postgres'
import { sampleEvent } from '../../../../src/testing/samples'
import { until } from '../../../faults/support/server'
import { enable, people, startApp, type TestApp } from '../../../support/app'
import { type OpenDatabase, postgres } from '../../../support/databases'
import { openPool } from '../../../support/databases/handles'

describe('postgresStorage({ pool })', () => {
  let database: OpenDatabase
  let again: ReturnType<typeof openPool>
  let pool: Pool
  let storage: PostgresStorage<PoolClient>

  beforeEach(async () => {
    database = await postgres.open()
    again = openPool(database.place, { max: 1 })
    ;({ pool, storage } = again)
    await pool.query('create table flags (name text primary key)')
  })
  afterEach(async () => {
    await again.close()
    await database.close()
  })

  const total = async () => (await storage.eventHead({})).total
  const isPoolIntact = () => [pool.totalCount - pool.idleCount, pool.waitingCount]

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['the pool', () => pool],
    ['an object', () => ({ query: () => undefined })],
    ['a transaction of Knex', () => database.knex],
  ])('rejects %s in place of a client', (_, given) => {
    expect(() => storage.within(given() as unknown as PoolClient)).toThrow(
      new TypeError('The transaction must be a client of pg, after BEGIN: const client = await pool.connect().'),
    )
  })

  it('rejects a client without a transaction, before and after one', async () => {
    const none = 'The client has no open transaction'
    const client = await pool.connect()
    try {
      await client.query('select 1')
      expect(() => storage.within(client)).toThrow(none)
      await client.query('begin')
      const joined = storage.within(client)
      await client.query('commit')
      await expect(joined.appendEvents([sampleEvent('late')])).rejects.toThrow(none)
    } finally {
      client.release()
    }
    expect(await total()).toBe(0)
  })

  it('waits for a client at most acquireTimeoutMs, and releases the one that arrives later', async () => {
    const { durability: _, ...options } = database.place.storage
    const limited = postgresStorage({ pool, ...options, acquireTimeoutMs: 50 })
    await storage.eventHead({})
    const client = await pool.connect()
    const error = await limited.eventHead({}).catch((thrown: unknown) => thrown)
    expect(limited.failureOf(error)).toBe('busy')
    client.release()
    expect((await storage.eventHead({})).total).toBe(0)
  })

  it('listens for the commits of other processes on one client, and replaces it when it is lost', async () => {
    const listening = openPool({ ...database.place, storage: { ...database.place.storage, notify: true } }, { max: 2 })
    const inUse = () => listening.pool.totalCount - listening.pool.idleCount
    let commits = 0
    const stop = listening.storage.onAppend?.(() => {
      commits += 1
    })
    const pids = new Set<number>()
    listening.pool.on('acquire', (client) => pids.add((client as unknown as { processID: number }).processID))
    const listeners = async () => {
      const { rows } = await pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where query like 'listen change_requests_%' and pid = any($1)",
        [[...pids]],
      )
      return rows.map(({ pid }) => pid)
    }
    // LISTEN reports what was committed before it, and then tests itself.
    const newListener = async (earlier?: number) => {
      const before = commits
      let found: number[] = []
      await until(async () => {
        found = await listeners()
        return found.length === 1 && found[0] !== earlier
      })
      await until(() => commits >= before + 2)
      return found[0]
    }
    const other = openPool(listening.place)
    const isNotified = async () => {
      const before = commits
      await other.storage.appendEvents([sampleEvent('a')])
      await until(() => commits > before)
    }
    try {
      const listener = await newListener()
      await isNotified()
      await pool.query('select pg_terminate_backend($1)', [listener])
      await newListener(listener)
      await isNotified()
      stop?.()
      await until(() => inUse() === 0)
    } finally {
      stop?.()
      await other.close()
      await listening.close()
    }
  })

  describe('with a transactional gateway', () => {
    let app: TestApp
    let apply: (client: PoolClient, feature: string) => Promise<void>
    const gateway: FlagGateway<PoolClient> = {
      transactional: true,
      actions: ['updateEnabled'],
      current: async ({ features }, options) => {
        await options?.transaction.query('select 1 from flags for update')
        const state = (name: string) => [name, { archived: false, enabled: false }] as const
        return { features: new Map(features.map(state)), segments: new Map() }
      },
      async apply(changes, { transaction }) {
        for (const { feature } of changes) await apply(transaction, feature ?? '')
        return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature ?? '' }))
      },
    }

    beforeEach(async () => {
      apply = async (client, feature) => {
        await client.query('insert into flags values ($1)', [feature])
      }
      // By its type, the gateway gets the client of the pool.
      app = await startApp({ storage, flags: gateway as FlagGateway, adminSelfApproval: true })
    })
    afterEach(() => app.close())

    const put = async (id: number, state: string) => {
      const path = `/api/admin/projects/shop/change-requests/${id}/state`
      return (await supertest(app.server).put(path).set('Authorization', people.ann.key).send({ state })).status
    }

    /** Returns the id of an approved change request. */
    async function approved(feature: string): Promise<number> {
      const { id } = (await app.propose(enable(feature))).body
      expect([await put(id, 'In review'), await put(id, 'Approved')]).toEqual([200, 200])
      return id
    }

    it('returns 503 when the connection is lost during the transaction, and goes on with another', async () => {
      apply = async (client) => {
        // Not events.once(), which adds a listener for errors.
        const lost = new Promise((resolve) => client.once('end', resolve))
        const { rows } = await client.query('select pg_backend_pid() as pid')
        await database.knex.raw('select pg_terminate_backend(?)', [rows[0].pid])
        await lost
      }
      const id = await approved('checkout')
      expect(await put(id, 'Applied')).toBe(503)
      expect(isPoolIntact()).toEqual([0, 0])
      apply = async (client, feature) => {
        await client.query('insert into flags values ($1)', [feature])
      }
      expect(await put(id, 'Applied')).toBe(200)
    })
  })
})
