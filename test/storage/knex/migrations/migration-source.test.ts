import { knex as createKnex, type Knex } from 'knex'
import { type KnexMigration, knexMigrationSource, knexStorage } from '../../../../src/storage/knex'
import { latestVersion } from '../../../../src/storage/knex/migrations'
import { createMigrationSource } from '../../../../src/storage/knex/migrations/migration-source'
import { stored } from '../../../../src/testing/samples'
import { catalogue } from '../../../support/catalogue'
import { databases, type OpenDatabase, openAgain } from '../../../support/databases'
import { withSecond } from '../../../support/databases/second-migration'

const ready = { reachable: true, schemaVersion: latestVersion }
const names = ['change_requests_0001_initial']
// Knex warns on the console of what the tests provoke.
const log = { warn() {}, error() {}, deprecate() {}, debug() {} }

describe.each(databases)('knexMigrationSource() on $name', (database) => {
  let store: OpenDatabase
  let config: Knex.MigratorConfig

  beforeEach(async () => {
    store = await database.open({ migrate: false, host: { log } })
    const { schema } = store.place.storage
    // A file of SQLite is put into WAL mode by its host: Knex migrates inside a transaction, where that cannot be done.
    if (schema === undefined) await store.knex.raw('pragma journal_mode = wal')
    config = {
      migrationSource: knexMigrationSource(schema === undefined ? {} : { schema }),
    }
  })
  afterEach(() => store.close())

  it('makes what migrate() makes, which then finds nothing to do', async () => {
    const byItself = await database.open()
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

  it('only takes down in its list what migrate() has done', async () => {
    await store.storage.migrate()
    const before = await catalogue(store.knex)
    const [, done] = await store.knex.migrate.latest(config)
    expect(done.map(plainName)).toEqual(names)
    expect(await catalogue(store.knex)).toEqual(before)
  })

  it('goes step by step, on from what migrate() or an older release has done', async () => {
    const { schema } = store.place.storage
    const later = { migrationSource: createMigrationSource(schema === undefined ? {} : { schema }, withSecond) }
    await store.storage.migrate()
    const [, both] = await store.knex.migrate.latest(later)
    expect(both.map(plainName)).toEqual([...names, 'change_requests_0002_note'])
    expect(await store.storage.health()).toMatchObject({ schemaVersion: 2 })
    const wanted = await catalogue(store.knex)
    expect(JSON.stringify(wanted)).toContain('settings_note')

    const second = await database.open({ migrate: false, host: { log } })
    try {
      if (schema === undefined) await second.knex.raw('pragma journal_mode = wal')
      const steps = createMigrationSource(
        second.place.storage.schema ? { schema: second.place.storage.schema } : {},
        withSecond,
      )
      for (const version of [1, 2]) {
        await second.knex.migrate.up({ migrationSource: steps })
        expect(await second.storage.health()).toMatchObject({ schemaVersion: version })
      }
      expect(await catalogue(second.knex)).toEqual(wanted)
      // This release finds nothing to do, and works.
      await second.storage.migrate()
      expect(await stored(second.storage)).toMatchObject({ version: 1 })
    } finally {
      await second.close()
    }
  })

  it('stands among the migrations of the host, in one list and one transaction', async () => {
    const all = [...(await ours(config)), hostMigration('flags_001', 'host_flags')]
    await store.knex.migrate.latest({ migrationSource: listed(all) })
    const listedNames = await store.knex('knex_migrations').orderBy('id').pluck('name')
    expect(listedNames.map(plainName)).toEqual([...names, 'flags_001'])
    expect(await store.storage.health()).toMatchObject(ready)

    const failing = {
      ...hostMigration('flags_002', 'host_rules'),
      up: () => Promise.reject(new Error('not like this')),
    }
    const second = await database.open({ migrate: false, host: { log } })
    try {
      const migrationSource = listed([...(await oursOf(second)), failing])
      await expect(second.knex.migrate.latest({ migrationSource })).rejects.toThrow('not like this')
      expect(await second.storage.health()).toMatchObject({ reachable: true, schemaVersion: 0 })
    } finally {
      await second.close()
    }
  })

  it('stands beside the migrations of the host, in a list of its own', async () => {
    await store.knex.migrate.latest({ migrationSource: listed([hostMigration('flags_001', 'host_flags')]) })
    const beside = { ...config, tableName: 'change_request_migrations' }
    await store.knex.migrate.latest(beside)
    expect(await store.knex('knex_migrations').pluck('name')).toEqual(['flags_001'])
    expect(await store.storage.health()).toMatchObject(ready)
    expect(await store.knex.migrate.list(beside)).toMatchObject([names.map(() => ({})), []])
  })

  it('has a transaction for each, also where the host switched them off and lost its wish for one', async () => {
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

  it('refuses to go back, and drops nothing', async () => {
    await store.knex.migrate.latest(config)
    const before = await catalogue(store.knex)
    await expect(store.knex.migrate.rollback(config)).rejects.toThrow(
      /^change_requests_\S+ cannot be undone: migrations go forward only, and nothing is dropped\.$/,
    )
    expect(await catalogue(store.knex)).toEqual(before)
  })

  it('is on good terms with migrate() and with others of its kind, all at once', async () => {
    // Of many that make its own tables at once, Knex may put two rows into its lock, and is locked for ever.
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

  it('keeps two stores of one database apart', async () => {
    const { schema } = store.place.storage
    const place = schema === undefined ? {} : { schema }
    const two = { tablePrefix: 'team_', ...place }
    const all = [...(await ours(config)), ...(await knexMigrationSource(two).getMigrations([]))]
    await store.knex.migrate.latest({ migrationSource: listed(all) })
    expect(new Set(all.map(({ name }) => name)).size).toBe(2 * latestVersion)
    expect(await store.storage.health()).toMatchObject(ready)
    expect(await knexStorage({ knex: store.knex, ...two }).health()).toMatchObject(ready)
  })
})

describe('knexMigrationSource(options)', () => {
  it.each([
    [{}, names],
    [{ tablePrefix: 'ffcr_' }, names],
    [{ tablePrefix: 'team_' }, names.map((name) => `${name}.team_`)],
    [{ schema: 'audit' }, names.map((name) => `${name}.audit.ffcr_`)],
    [{ schema: 'audit', tablePrefix: 'team_' }, names.map((name) => `${name}.audit.team_`)],
  ])('gives its migrations names that never change: %j', async (options, wanted) => {
    const source = knexMigrationSource(options)
    const migrations = await source.getMigrations([])
    expect(migrations.map((migration) => source.getMigrationName(migration))).toEqual(wanted)
  })

  it.each([
    [{ tablePrefix: 'Team' }, 'tablePrefix'],
    [{ schema: 'a.b' }, 'schema'],
    [{ tableName: 'x' }, 'tableName'],
  ])('refuses %j', (options, name) => {
    expect(() => knexMigrationSource(options as never)).toThrow(new RegExp(`^knexMigrationSource: .*option "${name}"`))
  })

  it('refuses a schema on SQLite, when it is run', async () => {
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

/** A source of a host, over a list. */
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
  return knexMigrationSource(schema === undefined ? {} : { schema }).getMigrations([])
}

/** Without the schema, which is another in each test. */
function plainName(name: string): string {
  return name.replace(/\..*/, '')
}

/** The driver waits without giving up the event loop, in which the one that it waits for is running here. */
function waitBriefly(connection: { pragma(text: string): void }, done: (error: null, connection: object) => void) {
  connection.pragma('busy_timeout = 20')
  done(null, connection)
}

/** Knex alone refuses some of many starters. */
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
