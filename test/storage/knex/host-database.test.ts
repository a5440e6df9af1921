import type { Knex } from 'knex'
import type { FlagGateway, Storage } from '../../../src'
import { describeHttp, type Runner } from '../../../src/testing'
import {
  allData,
  creation,
  findOpen,
  freshId,
  key,
  sampleChangeRequest,
  sampleEvent,
} from '../../../src/testing/samples'
import { startContractApp } from '../../support/contract-app'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'
import { peculiarPostgres, peculiarSqlite } from '../../support/peculiar-hosts'

/** A Knex with case mappers, drivers with odd types, sessions with odd defaults; on Postgres also a single connection. */
const hosts = [
  { name: 'SQLite', database: sqlite, options: peculiarSqlite },
  { name: 'Postgres', database: postgres, options: peculiarPostgres({ max: 1 }) },
] as const

/** Tables of the host, in camelCase like its mappers. */
async function createFlags(knex: Knex): Promise<void> {
  await knex.schema.createTable('hostFlags', (table) => {
    table.increments('flagId')
    table.text('flagName')
  })
}

const flagNames = (knex: Knex) => knex('hostFlags').pluck('flag_name')

const refused = 'refused'

/** All flags are off. An apply writes to the table of the host, in the given transaction. */
const flags: FlagGateway = {
  transactional: true,
  current: async ({ features, segments }) => ({
    features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies: [] }])),
    segments: new Map(segments.map((id) => [id, { name: `segment ${id}` }])),
  }),
  async apply(changes, { transaction }) {
    // Changes without an id are implied.
    const rows = changes.filter(({ id }) => id !== null).map(({ feature }) => ({ flagName: feature }))
    await (transaction as Knex.Transaction)('hostFlags').insert(rows)
    if (changes.some(({ feature }) => feature === refused)) throw new Error('The host does not want this one.')
    return []
  },
}

describe.each(hosts)('a host with plugins and settings of its own, on $name', ({ database, options }) => {
  let open: OpenDatabase
  let app: Awaited<ReturnType<typeof startContractApp>>
  beforeAll(async () => {
    open = await database.open(options)
    await createFlags(open.knex)
    app = await startContractApp(open.storage, { flags })
  })
  afterAll(async () => {
    await app.close()
    await open.close()
  })

  it('has a Knex that renames columns of results', async () => {
    expect(await open.knex('hostFlags').insert({ flagName: 'first' }).returning(['flagName'])).toEqual([
      { flagName: 'first' },
    ])
  })

  it.each([
    ['checkout', 200, 'Applied', ['checkout']],
    [refused, 500, 'Approved', []],
  ])('applying %s is %i: flag, state and events change atomically', async (feature, status, state, names) => {
    await open.knex('hostFlags').delete()
    const { author, reviewer } = app.host.callers
    const proposal = { action: 'updateEnabled', feature, payload: { enabled: true } }
    const { id } = await json(call(author, 'POST', '/environments/production/change-requests', proposal))
    const path = `/change-requests/${id}`
    const to = (who: object, next: string) => call(who, 'PUT', `${path}/state`, { state: next })
    expect([(await to(author, 'In review')).status, (await to(reviewer, 'Approved')).status]).toEqual([200, 200])
    const { total } = await open.storage.eventHead({})

    expect((await to(reviewer, 'Applied')).status).toBe(status)
    expect((await json(call(author, 'GET', path))).state).toBe(state)
    expect(await flagNames(open.knex)).toEqual(names)
    expect((await open.storage.eventHead({})).total - total).toBe(names.length)
    expect(connectionsInUse(open.knex)).toBe(0)
  })

  // The whole suite of storages runs on such hosts. These tests cover transactions of the host.
  const states: Runner['it'] = (title, run) => (/^CR-[38]/.test(title) ? it(title, run) : undefined)
  describeHttp({ describe, it: states, expect }, async () => app.host)

  function call(who: object, method: string, path: string, body?: object): Promise<Response> {
    const headers = { ...who, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return fetch(`${app.host.url}/projects/shop${path}`, { method, headers, ...sent })
  }
})

async function json(answer: Promise<Response>): Promise<{ id: number; state: string }> {
  return (await answer).json() as Promise<{ id: number; state: string }>
}

/** Each way of creating a transaction in Knex. A `work` that throws rolls it back. */
const ways: readonly (readonly [string, (knex: Knex, work: Work) => Promise<unknown>])[] = [
  ['knex.transaction(handler)', (knex, work) => knex.transaction(work)],
  ['await knex.transaction()', async (knex, work) => ended(await knex.transaction(), work)],
  ['knex.transactionProvider()', async (knex, work) => ended(await knex.transactionProvider()(), work)],
  ['transaction.transaction(handler)', (knex, work) => knex.transaction((outer) => outer.transaction(work))],
  [
    'await transaction.transaction()',
    (knex, work) => knex.transaction(async (outer) => ended(await outer.transaction(), work)),
  ],
  ['transaction.savepoint(handler)', (knex, work) => knex.transaction((outer) => outer.savepoint(work))],
  ['knex.withUserParams(…).transaction(handler)', (knex, work) => knex.withUserParams({ a: 1 }).transaction(work)],
  ['isolation level serializable', (knex, work) => knex.transaction(work, { isolationLevel: 'serializable' })],
]
type Work = (transaction: Knex.Transaction) => Promise<void>

async function ended(transaction: Knex.Transaction, work: Work): Promise<void> {
  try {
    await work(transaction)
    await transaction.commit()
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

describe.each(hosts)('a transaction of the host, on $name', ({ database, options }) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await database.open(options)
    await createFlags(open.knex)
  })
  afterAll(() => open.close())

  it.each(ways)('%s commits flag, change request and events, or none of them', async (_, make) => {
    const { knex, storage } = open
    for (const fails of [true, false]) {
      const before = { flags: await flagNames(knex), events: await allData(storage) }
      const changeRequest = sampleChangeRequest({
        id: await freshId(storage),
        environment: `env-${before.events.length}`,
      })
      const done = make(knex, async (transaction) => {
        await transaction('hostFlags').insert({ flagName: 'checkout' })
        const inside = storage.within(transaction)
        expect(await inside.commit(creation(changeRequest, [sampleEvent('ours')]))).toBe(true)
        await inside.appendEvents([sampleEvent('of the host')])
        if (fails) throw new Error('no')
      })
      if (fails) await expect(done).rejects.toThrow('no')
      else await done

      const stored = await findOpen(storage, { ...key, environment: changeRequest.environment })
      expect(stored?.changeRequest.id).toBe(fails ? undefined : changeRequest.id)
      expect(await flagNames(knex)).toEqual([...before.flags, ...(fails ? [] : ['checkout'])])
      expect(await allData(storage)).toEqual([...before.events, ...(fails ? [] : ['ours', 'of the host'])])
      expect(connectionsInUse(knex)).toBe(0)
    }
  })
})

describe.each(['repeatable read', 'serializable'])('a host whose sessions are %s by default, on Postgres', (level) => {
  const host = {
    pool: {
      min: 0,
      max: 10,
      afterCreate: (connection: { query(text: string): Promise<unknown> }, done: (error: unknown) => void) =>
        void connection.query(`set default_transaction_isolation = '${level}'`).then(() => done(null), done),
    },
  }
  let processes: OpenDatabase[]
  beforeEach(async () => {
    const one = await postgres.open({ host, migrate: false })
    processes = [one, ...Array.from({ length: 4 }, () => openAgain(one.place, host))]
  })
  afterEach(async () => {
    for (const process of processes.reverse()) await process.close()
  })
  const everywhere = (work: (storage: Storage) => Promise<void>) =>
    Promise.all(processes.map(({ storage }) => work(storage)))

  it('can start several processes concurrently, and all their writes are stored', async () => {
    await everywhere((storage) => storage.migrate())
    const names = Array.from({ length: 10 }, (_, index) => index)
    for (const name of names) await everywhere((storage) => storage.appendEvents([sampleEvent(name)]))

    for (const { storage } of processes) {
      expect(await allData(storage)).toEqual(names.flatMap((name) => processes.map(() => name)))
    }
  })
})
