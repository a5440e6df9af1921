import { randomBytes } from 'node:crypto'
import type { EventCursor, EventFilter, EventRow } from '../../../src/ports/storage/events'
import { knexMigrationSource, knexStorage, migrationSql } from '../../../src/storage/knex'
import { createEventReads } from '../../../src/storage/sql/event-index/event-reads'
import type { PageStatement } from '../../../src/storage/sql/postgres/events/page-reader'
import { postgresEventStatements } from '../../../src/storage/sql/postgres/events/reads'
import { allData, sampleEvent } from '../../../src/testing/samples'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { wrongCounts } from '../../support/databases/stored-counts'

const monthly = { eventPartitions: 'monthly' } as const
const refusal = 'The option "eventPartitions" must be left out: '

/** The partitions of the log by name, without the prefix. */
async function partitions({ knex }: OpenDatabase): Promise<string[]> {
  const text = `select relid::regclass::text as name from pg_partition_tree('ffcr_events') where isleaf order by 1`
  return (await knex.raw(text)).rows.map(({ name }: { name: string }) => name.replace(/^.*ffcr_events_/, ''))
}

/** The names of the partitions of this month, by the time of the database, and of the next months. */
async function months({ knex }: OpenDatabase, count: number): Promise<string[]> {
  const text = `select to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', 'YYYY_MM') as name
    from generate_series(0, ?) as n order by 1`
  return (await knex.raw(text, [count - 1])).rows.map(({ name }: { name: string }) => name)
}

const eventOf = (createdAt: string, data = createdAt): EventRow => ({ ...sampleEvent(data), createdAt })
const soon = () => new Date().toISOString()

/** The statement that the storage sends for a page. */
async function statementOf(filter: EventFilter, cursor: EventCursor): Promise<PageStatement> {
  let sent: PageStatement = { text: '', values: [] }
  const page = async (statement: PageStatement) => {
    sent = statement
    return { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }
  }
  const statements = postgresEventStatements(
    { table: (name) => `"ffcr_${name}"`, index: String },
    { rows: async () => [], page, copyPage: page },
  )
  await createEventReads(statements, 4_096, () => undefined).eventPage(filter, cursor, 50)
  return sent
}

describe(`knexStorage({ eventPartitions: 'monthly' })`, () => {
  const opened: OpenDatabase[] = []
  const open = async (options = {}) => {
    const database = await postgres.open(options)
    opened.push(database)
    return database
  }
  afterEach(async () => {
    for (const { close } of opened.splice(0).reverse()) await close()
  })

  it('creates a partition for this month, for the next three, and a default one', async () => {
    const database = await open(monthly)
    expect(await partitions(database)).toEqual([...(await months(database, 4)), 'default'])
    await database.storage.appendEvents(
      ['1999-12-31T23:59:59.999Z', soon(), '2199-01-01T00:00:00.000Z'].map((at) => eventOf(at)),
    )
    const placed = (await database.knex.raw('select tableoid::regclass::text as name from ffcr_events order by id'))
      .rows
    expect(placed.map(({ name }: { name: string }) => name.replace(/^.*ffcr_events_/, ''))).toEqual([
      'default',
      (await months(database, 1))[0],
      'default',
    ])
    expect(await wrongCounts(database.knex)).toEqual([])
  })

  it('has every index of the log on every partition, also on new ones', async () => {
    const plain = await open()
    const database = await open(monthly)
    const [first = ''] = await months(database, 1)
    await database.knex.raw(`drop table ffcr_events_${first}`)
    await database.storage.migrate()
    const shapes = async ({ knex }: OpenDatabase, table: string) =>
      (
        await knex.raw(`select indexdef from pg_indexes where schemaname = current_schema() and tablename = ?`, [table])
      ).rows
        .map(({ indexdef }: { indexdef: string }) => indexdef.replace(/^.*? USING /, ''))
        .sort()
    const wanted = (await shapes(plain, 'ffcr_events'))
      .map((shape: string) => shape.replace(/^btree \(id\)$/, 'btree (id, created_at)'))
      .sort()
    expect(wanted.length).toBe(3)
    for (const table of ['ffcr_events', `ffcr_events_${first}`, 'ffcr_events_default'])
      expect(await shapes(database, table)).toEqual(wanted)
  })

  it('creates the missing months at each migrate(), for 10 concurrent starters', async () => {
    const database = await open(monthly)
    const all = await months(database, 4)
    for (const month of all.slice(1)) await database.knex.raw(`drop table ffcr_events_${month}`)
    const starters = Array.from({ length: 10 }, () => openAgain(database.place))
    opened.push(...starters)
    await Promise.all(starters.map(({ storage }) => storage.migrate()))
    expect(await partitions(database)).toEqual([...all, 'default'])
  })

  it('creates no partition for a month whose events are in the default partition', async () => {
    const database = await open(monthly)
    const all = await months(database, 4)
    await database.knex.raw(`drop table ffcr_events_${all[0]}`)
    await database.knex.raw(`drop table ffcr_events_${all[3]}`)
    await database.storage.appendEvents([eventOf(soon(), 'late')])
    await database.storage.migrate()
    await database.storage.migrate()
    expect(await partitions(database)).toEqual([...all.slice(1), 'default'])
    expect(await allData(database.storage)).toEqual(['late'])
  })

  it('does not fail a start when the log is locked or the user cannot create tables', async () => {
    const database = await open(monthly)
    const all = await months(database, 4)
    await database.knex.raw(`drop table ffcr_events_${all[3]}`)
    const reading = await database.knex.transaction()
    await reading('ffcr_events').select()
    const { knex, place } = database
    await knexStorage({ knex, ...place.storage, lockTimeoutMs: 100 }).migrate()
    expect(await partitions(database)).toEqual([...all.slice(0, 3), 'default'])
    await reading.rollback()
    const role = `reader_${randomBytes(8).toString('hex')}`
    await knex.raw(`create role ${role} login password 'reader'`)
    await knex.raw(`grant usage on schema ${place.storage.schema} to ${role}`)
    await knex.raw(`grant select on all tables in schema ${place.storage.schema} to ${role}`)
    const url = new URL((place.knex as { connection: string }).connection)
    Object.assign(url, { username: role, password: 'reader' })
    const reader = openAgain(place, { connection: url.href })
    await reader.storage.migrate().finally(() => reader.close())
    expect(await partitions(database)).toEqual([...all.slice(0, 3), 'default'])
    await knex.raw(`drop owned by ${role}`)
    await knex.raw(`drop role ${role}`)
    await database.storage.migrate()
    expect(await partitions(database)).toEqual([...all, 'default'])
  })

  it('is rejected for a log without partitions, which stays unchanged', async () => {
    const database = await open()
    await database.storage.appendEvents([sampleEvent('kept')])
    const other = openAgain({ ...database.place, storage: { ...database.place.storage, ...monthly } })
    opened.push(other)
    await expect(other.storage.migrate()).rejects.toThrow(refusal)
    await database.knex('ffcr_meta').where({ name: 'schema_version' }).update({ value: 2 })
    await expect(other.storage.migrate()).rejects.toThrow(refusal)
    expect(await allData(database.storage)).toEqual(['kept'])
  })

  it('can be removed later: the partitions stay, and no new ones are created', async () => {
    const database = await open(monthly)
    const { schema } = database.place.storage
    const without = openAgain({ ...database.place, storage: schema === undefined ? {} : { schema } })
    opened.push(without)
    const all = await months(database, 4)
    await database.knex.raw(`drop table ffcr_events_${all[3]}`)
    await without.storage.migrate()
    await without.storage.appendEvents([sampleEvent('a')])
    expect(await partitions(database)).toEqual([...all.slice(0, 3), 'default'])
  })

  it('returns pages in the order of the ids by merging partitions, without a sort', async () => {
    const { knex, storage } = await open(monthly)
    const now = Date.parse(soon())
    for (let part = 0; part < 20; part += 1) {
      const ages = Array.from({ length: 100 }, (_, index) => (index % 3) * 31 * 24 * 60 * 60 * 1000)
      await storage.appendEvents(ages.map((age) => eventOf(new Date(now + age).toISOString(), 'x'.repeat(300))))
    }
    await knex.raw('analyze ffcr_events')
    for (const filter of [{}, { projects: ['shop'] }]) {
      for (const cursor of [{ before: 1_900 }, { after: 100 }]) {
        const { text, values } = await statementOf(filter, cursor)
        const connection = await knex.client.acquireConnection()
        const { rows } = await connection.query(`explain ${text}`, values)
        await knex.client.releaseConnection(connection)
        const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
        expect(plan).toMatch(/Merge Append/)
        expect(plan).not.toMatch(/^\s*->\s+(Incremental )?Sort|Seq Scan on \S*ffcr_events_2/m)
      }
    }
  })

  it('has the same result with a script and with Knex', async () => {
    const byItself = await open(monthly)
    const [byHand, byKnex] = [await open({ ...monthly, migrate: false }), await open({ ...monthly, migrate: false })]
    const place = ({ place: { storage } }: OpenDatabase) => ({
      ...(storage.schema && { schema: storage.schema }),
      ...monthly,
    })
    const connection = await byHand.knex.client.acquireConnection()
    await connection.query(migrationSql({ client: 'pg', ...place(byHand) }))
    await byHand.knex.client.releaseConnection(connection)
    await byKnex.knex.migrate.latest({ migrationSource: knexMigrationSource(place(byKnex)) })
    for (const database of [byHand, byKnex]) {
      expect(await partitions(database)).toEqual(await partitions(byItself))
      await database.storage.migrate()
      await database.storage.appendEvents([sampleEvent('a')])
    }
  })

  it.each([
    ['knexStorage on SQLite', async () => sqlite.open({ ...monthly, migrate: false })],
    ['knexStorage with another word', async () => postgres.open({ eventPartitions: 'daily' as 'monthly' })],
    ['migrationSql for SQLite', async () => migrationSql({ client: 'better-sqlite3', ...monthly })],
    [
      'migrationSql with another word',
      async () => migrationSql({ client: 'pg', eventPartitions: 'daily' as 'monthly' }),
    ],
    ['knexMigrationSource with another word', async () => knexMigrationSource({ eventPartitions: true as never })],
    ['knexStorage with true', async () => knexStorage({ knex: (await open()).knex, eventPartitions: true as never })],
  ])('is rejected by name: %s', async (_, use) => {
    await expect(use()).rejects.toThrow(/option "eventPartitions" must be/)
  })
})
