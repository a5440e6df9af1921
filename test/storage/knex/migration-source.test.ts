import { knex as createKnex, type Knex } from 'knex'
import { type KnexMigration, knexMigrationSource } from '../../../src/storage/knex'
import { createMigrationSource } from '../../../src/storage/knex/migration-source'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { latestVersion } from '../../../src/storage/sql/migrations'
import { stored } from '../../../src/testing/samples'
import { catalogue } from '../../support/catalogue'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { withSecond } from '../../support/databases/second-migration'

// The migration code must handle more than one migration, but there is only one so far.
const ready = { reachable: true, schemaVersion: withSecond.length }
const names = ['change_requests_0001_initial', 'change_requests_0002_note']
const released = names.slice(0, latestVersion)
// Knex would write warnings that the tests provoke to the console.
const log = { warn() {}, error() {}, deprecate() {}, debug() {} }

describe.each(databases)('knexMigrationSource() on $name', (database) => {
  let store: OpenDatabase
  let config: Knex.MigratorConfig

  beforeEach(async () => {
    store = await database.open({ migrate: false, second: true, host: { log } })
    const { schema } = store.place.storage
    // The host sets the WAL mode of a SQLite file: Knex migrates inside a transaction, where that is impossible.
    if (schema === undefined) await store.knex.raw('pragma journal_mode = wal')
    config = { migrationSource: createMigrationSource(schema === undefined ? {} : { schema }, withSecond) }
  })
  afterEach(() => store.close())

  it('creates what migrate() creates, which then finds nothing to do', async () => {
    const byItself = await database.open({ second: true })
    try {
      const [batch, done] = await store.knex.migrate.latest(config)
      expect([batch, done.map(plainName)]).toEqual([1, names])
      const wanted = await catalogue(byItself.knex)
      expect(await catalogue(store.knex)).toEqual(wanted)
      await store.storage.migrate()
      expect(await catalogue(store.knex)).toEqual(wanted)
      expect(await store.storage.health()).toMatchObject(ready)
      expect(await stored(store.storage)).toMatchObject({ version: 1 })
      expect(await store.knex.migrate.latest(config)).toEqual([1, []])
    } finally {
      await byItself.close()
    }
  })

  it('only records what migrate() has already done', async () => {
    await store.storage.migrate()
    const before = await catalogue(store.knex)
    const [, done] = await store.knex.migrate.latest(config)
    expect(done.map(plainName)).toEqual(names)
    expect(await catalogue(store.knex)).toEqual(before)
  })

  it('continues where migrate() or an older release has stopped', async () => {
    const older = openAgain({ ...store.place, second: false })
    try {
      await older.storage.migrate()
      expect(await store.storage.health()).toMatchObject({ schemaVersion: 1 })
      const [, both] = await store.knex.migrate.latest(config)
      expect(both.map(plainName)).toEqual(names)
      expect(await store.storage.health()).toMatchObject(ready)
      expect(JSON.stringify(await catalogue(store.knex))).toContain('settings_note')
      // The older release finds nothing to do, and works.
      await older.storage.migrate()
      expect(await stored(older.storage)).toMatchObject({ version: 1 })
    } finally {
      await older.close()
    }
  })

  it('goes step by step', async () => {
    for (const version of [1, 2]) {
      await store.knex.migrate.up(config)
      expect(await store.storage.health()).toMatchObject({ schemaVersion: version })
    }
    const byItself = await database.open({ second: true })
    expect(await catalogue(store.knex)).toEqual(await catalogue(byItself.knex))
    await byItself.close()
  })

  it('runs with the migrations of the host, in one list and one transaction', async () => {
    const all = [...(await ours(config)), hostMigration('flags_001', 'host_flags')]
    await store.knex.migrate.latest({ migrationSource: listed(all) })
    const listedNames = await store.knex('knex_migrations').orderBy('id').pluck('name')
    expect(listedNames.map(plainName)).toEqual([...names, 'flags_001'])
    expect(await store.storage.health()).toMatchObject(ready)

    const failing = {
      ...hostMigration('flags_002', 'host_rules'),
      up: () => Promise.reject(new Error('not like this')),
    }
    const other = await database.open({ migrate: false, second: true, host: { log } })
    try {
      const migrationSource = listed([...(await oursOf(other)), failing])
      await expect(other.knex.migrate.latest({ migrationSource })).rejects.toThrow('not like this')
      expect(await other.storage.health()).toMatchObject({ reachable: true, schemaVersion: 0 })
    } finally {
      await other.close()
    }
  })

  it('runs next to the migrations of the host app, with its own table', async () => {
    await store.knex.migrate.latest({ migrationSource: listed([hostMigration('flags_001', 'host_flags')]) })
    const separate = { ...config, tableName: 'change_request_migrations' }
    await store.knex.migrate.latest(separate)
    expect(await store.knex('knex_migrations').pluck('name')).toEqual(['flags_001'])
    expect(await store.storage.health()).toMatchObject(ready)
    expect(await store.knex.migrate.list(separate)).toMatchObject([names.map(() => ({})), []])
  })

  it('runs each in a transaction, also where the host has disabled them and dropped its `config`', async () => {
    const bare = (await ours(config)).map(({ name, up, down }) => ({ name, up, down }))
    const broken = (await ours(config)).map((migration) => ({
      ...migration,
      up: async (knex: Knex) => {
        await migration.up(knex)
        throw new Error('not like this')
      },
    }))
    const without = { disableTransactions: true }
    await expect(store.knex.migrate.latest({ migrationSource: listed(broken), ...without })).rejects.toThrow('not like')
    expect(await store.storage.health()).toMatchObject({ schemaVersion: 0 })
    await store.knex.migrate.latest({ migrationSource: listed(bare), ...without })
    expect(await store.storage.health()).toMatchObject(ready)
  })

  it('rejects a rollback, and drops nothing', async () => {
    await store.knex.migrate.latest(config)
    const before = await catalogue(store.knex)
    await expect(store.knex.migrate.rollback(config)).rejects.toThrow(
      /^change_requests_\S+ cannot be undone: migrations go forward only, and nothing is dropped\.$/,
    )
    expect(await catalogue(store.knex)).toEqual(before)
  })

  it('can run at the same time as migrate() and other sources', async () => {
    // When many create its own tables concurrently, Knex may insert two rows into its lock table, and stays locked permanently.
    await store.knex.migrate.list(config)
    const pool = database.name === 'SQLite' ? { pool: { afterCreate: waitBriefly } } : {}
    const hosts = Array.from({ length: 6 }, () => openAgain(store.place, { log, ...pool }))
    try {
      await Promise.all([
        ...hosts.map(({ knex }) => untilKnexLets(() => knex.migrate.latest(config))),
        ...hosts.slice(3).map(({ storage }) => storage.migrate()),
      ])
      expect(await store.storage.health()).toMatchObject(ready)
      expect((await store.knex('knex_migrations').orderBy('id').pluck('name')).map(plainName)).toEqual(names)
      expect(await stored(store.storage)).toMatchObject({ version: 1 })
    } finally {
      await Promise.all(hosts.map(({ close }) => close()))
    }
  })

  it('separates two stores of one database', async () => {
    const { schema } = store.place.storage
    const place = schema === undefined ? {} : { schema }
    const two = { tablePrefix: 'team_', ...place }
    const all = [...(await ours(config)), ...(await createMigrationSource(two, withSecond).getMigrations([]))]
    await store.knex.migrate.latest({ migrationSource: listed(all) })
    expect(new Set(all.map(({ name }) => name)).size).toBe(2 * names.length)
    expect(await store.storage.health()).toMatchObject(ready)
    const team = createKnexStorage({ knex: store.knex, ...two }, withSecond)
    expect(await team.health()).toMatchObject(ready)
  })
})

describe('knexMigrationSource(options)', () => {
  it.each([
    [{}, released],
    [{ tablePrefix: 'ffcr_' }, released],
    [{ tablePrefix: 'team_' }, released.map((name) => `${name}.team_`)],
    [{ schema: 'audit' }, released.map((name) => `${name}.audit.ffcr_`)],
    [{ schema: 'audit', tablePrefix: 'team_' }, released.map((name) => `${name}.audit.team_`)],
  ])('gives its migrations permanent names: %j', async (options, wanted) => {
    const source = knexMigrationSource(options)
    const migrations = await source.getMigrations([])
    expect(migrations.map((migration) => source.getMigrationName(migration))).toEqual(wanted)
  })

  it.each([
    [{ tablePrefix: 'Team' }, 'tablePrefix'],
    [{ schema: 'a.b' }, 'schema'],
    [{ tableName: 'x' }, 'tableName'],
  ])('rejects %j', (options, name) => {
    expect(() => knexMigrationSource(options as never)).toThrow(new RegExp(`^knexMigrationSource: .*option "${name}"`))
  })

  it('rejects a schema on SQLite when it runs', async () => {
    const knex = createKnex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true, log })
    try {
      const migrationSource = knexMigrationSource({ schema: 'audit' })
      await expect(knex.migrate.latest({ migrationSource })).rejects.toThrow(
        'option "schema" must be left out on SQLite',
      )
    } finally {
      await knex.destroy()
    }
  })
})

type Named = Pick<KnexMigration, 'name'> & Knex.Migration

function hostMigration(name: string, table: string): Named {
  return {
    name,
    up: (knex) => knex.schema.createTable(table, (columns) => void columns.increments('id')),
    down: (knex) => knex.schema.dropTable(table),
  }
}

/** The migration source of a host, from a list. */
function listed(all: readonly Named[]): Knex.MigrationSource<Named> {
  return {
    getMigrations: async () => [...all],
    getMigrationName: ({ name }) => name,
    getMigration: async (migration) => migration,
  }
}

async function ours({ migrationSource }: Knex.MigratorConfig): Promise<KnexMigration[]> {
  return (await migrationSource?.getMigrations([])) as KnexMigration[]
}

function oursOf({ place }: OpenDatabase): Promise<KnexMigration[]> {
  const { schema } = place.storage
  return createMigrationSource(schema === undefined ? {} : { schema }, withSecond).getMigrations([])
}

/** Without the schema, which differs in each test. */
function plainName(name: string): string {
  return name.replace(/\..*/, '')
}

/** The driver blocks the event loop while it waits, and the holder of the lock needs the same event loop. */
function waitBriefly(connection: { pragma(text: string): void }, done: (error: null, connection: object) => void) {
  connection.pragma('busy_timeout = 20')
  done(null, connection)
}

/** Knex itself rejects some of many concurrent starters. */
async function untilKnexLets(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!/knex_migrations|locked|pg_type_typname|database is locked/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()))
    }
  }
}
