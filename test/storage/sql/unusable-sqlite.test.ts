import Database from 'better-sqlite3'
import { knex as createKnex } from 'knex'
import type { StorageProblem } from '../../../src/ports/storage/storage'
import { migrationSql, type SqliteStorage, sqliteStorage } from '../../../src/storage/handles/sqlite'
import { knexMigrationSource, knexStorage } from '../../../src/storage/knex'
import { sampleEvent } from '../../../src/testing/samples'

const sentence = (encoding: string) =>
  `The SQLite database has the encoding ${encoding}, but only UTF-8 is supported. Use another file, or copy its tables into a new one that is created without "pragma encoding".`

describe.each(['full_column_names = on', 'short_column_names = off'])('a SQLite connection with %s', (setting) => {
  it('is rejected, because the columns of results have other names', async () => {
    const database = new Database(':memory:')
    database.pragma(setting)
    const storage = sqliteStorage({ database })
    const message = expect.stringContaining(`"pragma ${setting.split(' ')[0]}"`)
    await expect(storage.migrate()).rejects.toMatchObject({ name: 'SchemaError', message })
    await storage.close()
    database.close()
  })
})

describe.each([
  ['UTF-16', 'UTF-16le'],
  ['UTF-16le', 'UTF-16le'],
  ['UTF-16be', 'UTF-16be'],
])('a SQLite database with the encoding %s', (wanted, encoding) => {
  let database: Database.Database
  let storage: SqliteStorage<Database.Database>
  const refused = { name: 'SchemaError', message: sentence(encoding) }
  const tables = () => database.prepare('select name from sqlite_master').all()

  beforeEach(() => {
    database = new Database(':memory:')
    database.pragma(`encoding = '${wanted}'`)
    storage = sqliteStorage({ database })
  })
  afterEach(async () => {
    await storage.close()
    database.close()
  })

  it('is rejected by migrate(), which creates nothing', async () => {
    await expect(storage.migrate()).rejects.toMatchObject(refused)
    expect(tables()).toEqual([])
  })

  it('is rejected by every call, and reported by health(), when it has the tables already', async () => {
    database.exec(migrationSql({ client: 'better-sqlite3', from: 0 }))
    const problems: StorageProblem[] = []
    storage.onProblem?.((problem) => problems.push(problem))

    expect(await storage.health()).toMatchObject({ reachable: true, compatible: false })
    expect(problems).toEqual([{ level: 'error', message: sentence(encoding) }])
    const error = await storage.appendEvents([sampleEvent('lost')]).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject(refused)
    expect(storage.failureOf(error)).toBe('unsupported-schema')
    await expect(storage.eventPage({}, { after: 0 }, 10)).rejects.toMatchObject(refused)
    await expect(storage.migrate()).rejects.toMatchObject(refused)
  })

  it('is rejected through Knex, too', async () => {
    const log = { warn() {}, error() {}, deprecate() {}, debug() {} }
    const connection = { filename: ':memory:' }
    const knex = createKnex({ client: 'better-sqlite3', connection, useNullAsDefault: true, log })
    try {
      await knex.raw(`pragma encoding = '${wanted}'`)
      await expect(knexStorage({ knex }).migrate()).rejects.toMatchObject(refused)
      await expect(knex.migrate.latest({ migrationSource: knexMigrationSource() })).rejects.toMatchObject(refused)
    } finally {
      await knex.destroy()
    }
  })
})
