import { knex as createKnex, type Knex } from 'knex'
import { type KnexStorageOptions, knexStorage } from '../../../src/storage/knex'
import { allData, findOpen, key, sampleEvent, stored } from '../../../src/testing/samples'
import { databases, openAgain, postgres, sqlite } from '../../support/databases'

const hosts = {
  SQLite: createKnex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true }),
  Postgres: createKnex({ client: 'pg', connection: 'postgres://127.0.0.1:1/none' }),
  'Postgres with one connection': createKnex({
    client: 'pg',
    connection: 'postgres://127.0.0.1:1/none',
    pool: { min: 0, max: 1 },
  }),
  CockroachDB: createKnex({ client: 'cockroachdb', connection: 'postgres://127.0.0.1:1/none' }),
}
afterAll(() => Promise.all(Object.values(hosts).map((host) => host.destroy())))

describe('knexStorage(options) rejects, naming the option', () => {
  const notAnIdentifier = ['', 'A', '1a', 'a.b', 'x"; drop table "y', 'ä', 'a\n', 5, null, ['a']]
  const notATimeout = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5', null]
  const wrong: readonly (readonly [name: string, values: readonly unknown[], host: keyof typeof hosts])[] = [
    ['knex', [undefined, null, {}, () => undefined, 'postgres://'], 'SQLite'],
    ['tablePrefix', [...notAnIdentifier, 'a'.repeat(32)], 'SQLite'],
    ['tablePrefix', notAnIdentifier, 'Postgres'],
    ['schema', [...notAnIdentifier, 'a'.repeat(32)], 'Postgres'],
    ['schema', ['public'], 'SQLite'],
    ['durability', ['off', 'FULL', 2, null], 'SQLite'],
    ['preparedStatements', ['yes', 1, null], 'Postgres'],
    ['notify', ['yes', 1, null], 'Postgres'],
    ['notify', [true], 'Postgres with one connection'],
    ['notify', [true], 'SQLite'],
    ['acquireTimeoutMs', notATimeout, 'SQLite'],
    ['lockTimeoutMs', notATimeout, 'Postgres'],
    ['statementTimeoutMs', notATimeout, 'Postgres'],
  ]
  const rows = wrong.flatMap(([name, values, host]) => values.map((value) => [name, value, host] as const))

  it.each(rows)('%s: %p on %s', (name, value, host) => {
    const given = () => knexStorage({ knex: hosts[host], [name]: value } as unknown as KnexStorageOptions)

    expect(given).toThrow(TypeError)
    expect(given).toThrow(`knexStorage: option "${name}" must be`)
  })

  // The drivers are not installed, so Knex cannot create the other clients.
  const ofClient = (dialect: string, driverName: string) =>
    Object.assign(() => undefined, { client: { dialect, driverName } }) as unknown as Knex
  it.each([
    ['CockroachDB', hosts.CockroachDB, 'cockroachdb'],
    ['MySQL', ofClient('mysql', 'mysql2'), 'mysql2'],
    ['SQL Server', ofClient('mssql', 'mssql'), 'mssql'],
    ['the driver sqlite3', ofClient('sqlite3', 'sqlite3'), 'sqlite3'],
  ])('knex: %s', (_, knex, client) => {
    const message =
      `knexStorage: option "knex" must use the client "pg" or "better-sqlite3", not "${client}": the tables are in Postgres or ` +
      'SQLite, wherever your flags are. See docs/storage.md.'
    expect(() => knexStorage({ knex })).toThrow(new TypeError(message))
  })

  it.each(['prefix', 'tableprefix', 'Knex', '__proto__x'])('%s, which is unknown', (name) => {
    const given = () => knexStorage({ knex: hosts.SQLite, [name]: 'x' } as KnexStorageOptions)

    expect(given).toThrow(TypeError)
    expect(given).toThrow(`unknown option "${name}"`)
  })

  it.each([[undefined], [null], [5], ['x'], [[]]])('%p in place of the options', (options) => {
    expect(() => knexStorage(options as unknown as KnexStorageOptions)).toThrow(TypeError)
  })
})

it('knexStorage(options) takes the shortest and longest values', () => {
  const options = { tablePrefix: '_', acquireTimeoutMs: 1, lockTimeoutMs: 1, statementTimeoutMs: 1 }
  for (const knex of [hosts.SQLite, hosts.Postgres]) expect(() => knexStorage({ knex, ...options })).not.toThrow()
  expect(() => knexStorage({ knex: hosts.Postgres, notify: true })).not.toThrow()
})

describe.each(databases)('option tablePrefix on $name', (database) => {
  it('separates two stores of one database', async () => {
    const one = await database.open()
    const two = openAgain({ ...one.place, storage: { ...one.place.storage, tablePrefix: 'two_' } })
    try {
      await two.storage.migrate()
      await one.storage.appendEvents([sampleEvent('one')])
      const open = await stored(one.storage)

      expect(await allData(two.storage)).toEqual([])
      expect(await two.storage.eventHead({})).toMatchObject({ lastId: 0, total: 0 })
      expect(await findOpen(two.storage, key)).toBeUndefined()
      expect(await two.storage.nextIds('changeRequest', 1)).toEqual([1])
      expect(await findOpen(one.storage, key)).toEqual(open)
    } finally {
      await two.close()
      await one.close()
    }
  })

  it('of 31 characters names all tables and indexes', async () => {
    const { storage, close } = await database.open({ tablePrefix: `a${'_'.repeat(30)}` })
    try {
      const open = await stored(storage)

      expect(await findOpen(storage, key)).toEqual(open)
    } finally {
      await close()
    }
  })
})

describe('option schema on Postgres', () => {
  it('finds the tables with any search path', async () => {
    const one = await postgres.open()
    const two = openAgain(one.place, { searchPath: ['public'] })
    try {
      const open = await stored(two.storage)
      await two.storage.appendEvents([sampleEvent('two')])

      expect(await findOpen(one.storage, key)).toEqual(open)
      expect(await allData(one.storage)).toEqual(['two'])
    } finally {
      await two.close()
      await one.close()
    }
  })
})

describe('option schema on Postgres, two concurrently', () => {
  it('separates two stores of one Knex, and neither waits for the other', async () => {
    const one = await postgres.open()
    const two = await postgres.open()
    const other = openAgain({ ...one.place, storage: two.place.storage })
    try {
      const stores = [one.storage, other.storage]
      const open = await Promise.all(stores.map((storage) => stored(storage)))
      expect(open.map(({ changeRequest }) => changeRequest.id)).toEqual([1, 1])
      await one.knex.transaction(async (transaction) => {
        await one.storage.within(transaction).appendEvents([sampleEvent('one')])
        await other.storage.appendEvents([sampleEvent('two')])
      })

      expect(await Promise.all(stores.map((storage) => allData(storage)))).toEqual([['one'], ['two']])
      expect(await Promise.all(stores.map((storage) => findOpen(storage, key)))).toEqual(open)
    } finally {
      await other.close()
      await two.close()
      await one.close()
    }
  })
})

describe('option durability on SQLite', () => {
  const levels = { off: 0, normal: 1, full: 2 }

  /** The level during an insert, read by a trigger on the same connection. */
  async function levelOfAWrite(knex: Knex, write: () => Promise<unknown>): Promise<number> {
    await knex.raw('create temp table seen (synchronous integer)')
    await knex.raw(
      `create temp trigger probe after insert on main.ffcr_events
       begin insert into seen select synchronous from pragma_synchronous where schema = 'main'; end`,
    )
    await write()
    const [seen] = await knex.raw('select * from temp.seen')
    await knex.raw('drop trigger temp.probe')
    await knex.raw('drop table temp.seen')
    return seen.synchronous
  }

  it.each([
    ['full', {}],
    ['full', { durability: 'full' }],
    ['normal', { durability: 'normal' }],
  ] as const)('writes with synchronous = %s, given %j', async (level, options) => {
    const { knex, storage, close } = await sqlite.open(options)
    try {
      expect(await levelOfAWrite(knex, () => storage.appendEvents([sampleEvent('a')]))).toBe(levels[level])
      await storage.nextIds('change', 1)
      expect(await storage.health()).toMatchObject({ durability: `journal_mode=wal, synchronous=${levels[level]}` })
    } finally {
      await close()
    }
  })

  it.each(['full', 'normal'] as const)(
    '%s applies to a transaction of the storage, not to one of the host',
    async (durability) => {
      const { knex, storage, close } = await sqlite.open({ durability })
      try {
        await knex.raw('pragma synchronous = off')
        await storage.nextIds('change', 1)
        const ours = () => storage.transaction((_, inside) => inside.appendEvents([sampleEvent('a')]))
        const theirs = () =>
          knex.transaction((transaction) => storage.within(transaction).appendEvents([sampleEvent('a')]))

        expect(await levelOfAWrite(knex, ours)).toBe(levels[durability])
        expect(await levelOfAWrite(knex, theirs)).toBe(levels.off)
      } finally {
        await close()
      }
    },
  )

  it('host does not change the settings of the connection', async () => {
    const { knex, storage, close } = await sqlite.open({ durability: 'host', migrate: false })
    try {
      await knex.raw('pragma synchronous = off')
      await knex.raw('pragma journal_mode = truncate')
      await storage.migrate()

      expect(await levelOfAWrite(knex, () => storage.appendEvents([sampleEvent('a')]))).toBe(levels.off)
      expect(await storage.health()).toMatchObject({ durability: 'journal_mode=truncate, synchronous=0' })
    } finally {
      await close()
    }
  })
})
