import { knexStorage } from '../../../../src/storage/knex'
import { createMigrationSource } from '../../../../src/storage/knex/migration-source'
import { printMigrations } from '../../../../src/storage/sql/migration-sql'
import { allData, sampleEvent } from '../../../../src/testing/samples'
import { until } from '../../../faults/support/server'
import { startApp } from '../../../support/app'
import { databases, type OpenDatabase, type OpenOptions, openAgain } from '../../../support/databases'
import { connectionsInUse } from '../../../support/databases/pool'
import { withSecond } from '../../../support/databases/second-migration'

const unsupported = (schemaVersion: number, compatibleFrom: number, codeVersion = 1) => ({
  name: 'SchemaError',
  schemaVersion,
  compatibleFrom,
  codeVersion,
  message: expect.stringMatching(
    new RegExp(`schema version ${schemaVersion}\\b.*schema version ${compatibleFrom}\\b.*has ${codeVersion}\\b`),
  ),
})
const raised = [...withSecond.slice(0, 1), ...withSecond.slice(1).map((one) => ({ ...one, compatibleFrom: 2 }))]

describe.each(databases)('the schema version on $name', (database) => {
  const opened: OpenDatabase[] = []
  afterEach(async () => {
    for (const { close } of opened.splice(0).reverse()) await close()
  })
  const open = async (options?: OpenOptions) => {
    const store = await database.open(options)
    opened.push(store)
    return store
  }
  const again = (store: OpenDatabase, second = false) => {
    const other = openAgain({ ...store.place, second })
    opened.push(other)
    return other
  }
  const rowsOf = async ({ knex }: OpenDatabase) =>
    Object.fromEntries((await knex('ffcr_meta').select('name', 'value')).map(({ name, value }) => [name, value]))

  /** Sets the numbers as another release would; null removes the row. */
  async function record({ knex }: OpenDatabase, schemaVersion: number | null, compatibleFrom: number | null) {
    await knex('ffcr_meta').del()
    const rows = [
      { name: 'schema_version', value: schemaVersion },
      { name: 'compatible_from', value: compatibleFrom },
    ]
    await knex('ffcr_meta').insert(rows.filter(({ value }) => value !== null))
  }

  it.each(['migrate()', 'migrationSql()', 'knexMigrationSource()'])('has both numbers after %s', async (way) => {
    const store = await open({ migrate: false, second: true })
    const { schema } = store.place.storage
    if (way === 'migrate()') await store.storage.migrate()
    else if (way === 'knexMigrationSource()') {
      const migrationSource = createMigrationSource(schema === undefined ? {} : { schema }, withSecond)
      await store.knex.migrate.latest({ migrationSource })
    } else {
      const client = schema === undefined ? 'better-sqlite3' : 'pg'
      const text = printMigrations({ client, ...(schema !== undefined && { schema }) }, withSecond)
      const connection = await store.knex.client.acquireConnection()
      await (client === 'pg' ? connection.query(text) : connection.exec(text))
      await store.knex.client.releaseConnection(connection)
    }

    expect(await rowsOf(store)).toEqual({ schema_version: 2, compatible_from: 1 })
  })

  it('has the higher `compatible_from` of a migration that older code cannot work with', async () => {
    const store = await open()
    const { schema } = store.place.storage
    const migrationSource = createMigrationSource(schema === undefined ? {} : { schema }, raised)
    await store.knex.migrate.latest({ migrationSource })

    expect(await rowsOf(store)).toEqual({ schema_version: 2, compatible_from: 2 })
    await expect(again(store).storage.migrate()).rejects.toMatchObject(unsupported(2, 2))
    await again(store, true).storage.migrate()
  })

  it.each([
    [3, null, 3],
    [99, null, 99],
    [99, 2, 2],
  ])('is rejected when it is %j, compatible from %j', async (version, from, effective) => {
    const store = await open()
    await record(store, version, from)
    const { storage } = again(store)

    await expect(storage.migrate()).rejects.toMatchObject(unsupported(version, effective))
    for (const call of [
      () => storage.eventHead({}),
      () => storage.appendEvents([sampleEvent('a')]),
      () => storage.projects(),
      () => storage.nextIds('change', 1),
      () => storage.transaction(async () => undefined),
    ]) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject(unsupported(version, effective))
      expect(storage.failureOf(error)).toBe('unsupported-schema')
    }
    expect(await storage.health()).toMatchObject({ reachable: true, schemaVersion: version, compatible: false })
    const { schema } = store.place.storage
    const migrationSource = createMigrationSource(schema === undefined ? {} : { schema }, withSecond.slice(0, 1))
    const log = { warn() {}, error() {}, deprecate() {}, debug() {} }
    const host = openAgain(store.place, { log })
    opened.push(host)
    await expect(host.knex.migrate.latest({ migrationSource })).rejects.toMatchObject(unsupported(version, effective))
    expect((await rowsOf(store)).schema_version).toBe(version)
  })

  it.each([
    [1, null],
    [1, 1],
    [99, 1],
  ])('is supported when it is %j, compatible from %j', async (version, from) => {
    const store = await open()
    await record(store, version, from)
    const { storage } = again(store)
    await storage.appendEvents([sampleEvent('a')])
    await storage.migrate()

    expect(await storage.health()).toMatchObject({ schemaVersion: version, compatible: true, lastEventId: 1 })
  })

  it('is required if there are tables', async () => {
    const store = await open()
    for (const remove of [
      () => store.knex('ffcr_meta').del(),
      () => store.knex.schema.dropTable('ffcr_meta'),
    ] as const) {
      await remove()
      const { storage } = again(store)
      const missing = { message: expect.stringContaining('no row "schema_version"') }
      await expect(storage.migrate()).rejects.toMatchObject(missing)
      const error = await storage.eventHead({}).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject(missing)
      expect(storage.failureOf(error)).toBe('unsupported-schema')
      expect(await storage.health()).toMatchObject({ reachable: true, schemaVersion: 0, compatible: false })
    }
  })

  it('is read once, and again by health(), whose result later calls use', async () => {
    const store = await open()
    const { storage } = again(store)
    await storage.appendEvents([sampleEvent('a')])
    await record(store, 99, 99)
    await storage.appendEvents([sampleEvent('b')])

    expect(await storage.health()).toMatchObject({ compatible: false })
    await expect(storage.appendEvents([sampleEvent('c')])).rejects.toMatchObject(unsupported(99, 99))
    await record(store, 1, 1)
    await storage.appendEvents([sampleEvent('d')])
    expect(await allData(storage)).toEqual(['a', 'b', 'd'])
  })

  it('lets a process work as soon as another one has migrated', async () => {
    const store = await open({ migrate: false })
    const early = again(store, true)
    const refused = async () => early.storage.failureOf(await early.storage.projects().catch((error) => error))
    expect(await refused()).toBe('unmigrated')
    await store.storage.migrate()
    // That was an older release.
    expect(await refused()).toBe('unmigrated')
    expect(await early.storage.health()).toMatchObject({ schemaVersion: 1, compatible: false })
    await again(store, true).storage.migrate()

    expect(await early.storage.projects()).toEqual([])
    expect(await early.storage.health()).toMatchObject({ schemaVersion: 2, compatible: true })
  })

  it('never seems missing while many processes migrate and read', async () => {
    const store = await open({ migrate: false })
    const others = Array.from({ length: 8 }, () => again(store))
    let migrated = false
    const migrating = Promise.all(others.slice(4).map(({ storage }) => storage.migrate())).then(() => {
      migrated = true
    })
    const seen = new Set<unknown>()
    await Promise.all(
      others.slice(0, 4).map(async ({ storage }) => {
        for (;;) {
          const isLast = migrated
          const outcome = await storage.projects().catch((error) => storage.failureOf(error))
          seen.add(typeof outcome === 'string' ? outcome : 'answered')
          if (isLast) return
        }
      }),
    )
    await migrating

    seen.delete('unmigrated')
    expect([...seen]).toEqual(['answered'])
  })

  it('is checked again after a check that found no connection', async () => {
    const store = await open({ pool: { min: 0, max: 1 }, migrate: false })
    await again(store).storage.migrate()
    const limited = knexStorage({ knex: store.knex, ...store.place.storage, acquireTimeoutMs: 100 })
    const held = await store.knex.transaction()
    const error = await limited.projects().catch((thrown: unknown) => thrown)
    expect(limited.failureOf(error)).toBe('busy')
    await held.rollback()

    const projects = () => limited.projects().catch(() => undefined)
    await until(async () => (await projects()) !== undefined)
  })

  it('is checked on the connection of a transaction of the host, if it is the only one', async () => {
    const store = await open({ pool: { min: 0, max: 1 }, migrate: false })
    await again(store).storage.migrate()
    await store.knex.transaction((transaction) =>
      store.storage.within(transaction).appendEvents([sampleEvent('inside')]),
    )
    expect(await allData(store.storage)).toEqual(['inside'])

    await record(store, 99, 99)
    expect(await store.storage.health()).toMatchObject({ compatible: false })
    const refused = store.knex.transaction((transaction) =>
      store.storage.within(transaction).appendEvents([sampleEvent('refused')]),
    )
    await expect(refused).rejects.toMatchObject(unsupported(99, 99))
    expect(connectionsInUse(store.knex)).toBe(0)
  })

  it('gives a 503 with the three numbers in the log, and one warning if it is newer', async () => {
    const store = await open()
    await record(store, 99, 98)
    const { storage } = again(store)
    const logged: unknown[][] = []
    const to =
      (level: string) =>
      (...entry: unknown[]) =>
        void logged.push([level, ...entry])
    const app = await startApp({ storage, logger: { error: to('error'), warn: to('warn'), info() {}, debug() {} } })
    try {
      const answer = await app.events()
      expect([answer.status, answer.body.name]).toEqual([503, 'UnavailableError'])
      expect(answer.headers['retry-after']).toBe('1')
      expect(logged).toMatchObject([['error', { err: unsupported(99, 98) }, expect.anything()]])

      logged.length = 0
      await record(store, 99, 1)
      for (let request = 1; request <= 2; request += 1) expect((await app.events()).status).toBe(200)
      await storage.health()
      await storage.migrate()
      expect(logged).toEqual([
        [
          'warn',
          { schemaVersion: 99, compatibleFrom: 1, codeVersion: 1 },
          expect.stringContaining('newer schema version'),
        ],
      ])
    } finally {
      await app.close()
    }
  })

  it('also warns a listener that is added after the check', async () => {
    const store = await open()
    await record(store, 2, 1)
    const { storage } = again(store)
    await storage.migrate()
    const warnings: unknown[] = []
    storage.onProblem?.((problem) => warnings.push(problem))
    expect(warnings).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('newer schema version'),
        details: { schemaVersion: 2, compatibleFrom: 1, codeVersion: 1 },
      },
    ])
  })
})
