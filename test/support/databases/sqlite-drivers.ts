import BetterSqlite from 'better-sqlite3'
import { createSqliteStorage } from '../../../src/storage/handles/sqlite/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import type { Place } from '.'

/** What the drivers have in common. */
export interface TestSqlite {
  readonly inTransaction: boolean
  readonly isTransaction: boolean
  exec(text: string): unknown
  pragma(text: string): unknown
  prepare(text: string): {
    run(...values: unknown[]): unknown
    all(...values: unknown[]): Record<string, unknown>[]
  }
  close(): unknown
}

export interface SqliteDriver {
  readonly name: string
  open(file: string, options?: object): TestSqlite
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options?: object) => TestSqlite
}

/** Absent before Node 22.16. */
const node = process.getBuiltinModule?.('node:sqlite') as unknown as NodeSqlite | undefined

export const betterSqlite: SqliteDriver = {
  name: 'a Database of better-sqlite3',
  open: (file) => new BetterSqlite(file) as unknown as TestSqlite,
}
export const nodeSqlite: SqliteDriver | undefined = node && {
  name: 'a DatabaseSync of node:sqlite',
  open: (file, options = {}) => new node.DatabaseSync(file, options),
}

/** The drivers that this Node has. */
export const sqliteDrivers = [betterSqlite, ...(nodeSqlite === undefined ? [] : [nodeSqlite])]

export function describeSqlite(title: string, tests: (driver: SqliteDriver) => void): void {
  for (const driver of sqliteDrivers) describe(`${title}, on ${driver.name}`, () => tests(driver))
}

/** Opens a store on SQLite again with a driver. */
export function openSqlite(place: Place, { open }: SqliteDriver) {
  const { knex } = place
  if (knex.client !== 'better-sqlite3') throw new Error('The store is not on SQLite.')
  const { tablePrefix, durability, statementTimeoutMs } = place.storage
  const database = open(knex.connection.filename)
  const options = { ...(tablePrefix && { tablePrefix }), ...(durability && { durability }) }
  const storage = createSqliteStorage(
    { database, ...options, ...(statementTimeoutMs && { statementTimeoutMs }) },
    migrations,
  )
  let isOpen = true
  const closeDatabase = async () => {
    if (isOpen) database.close()
    isOpen = false
  }
  return {
    database,
    file: knex.connection.filename,
    storage,
    place,
    breakConnection: closeDatabase,
    async close() {
      await storage.close()
      await closeDatabase()
    },
  }
}

/** The values of the first column. */
export function column(database: TestSqlite, text: string): unknown[] {
  return rows(database, text).map(([value]) => value)
}

/** The values of each row. */
export function rows(database: TestSqlite, text: string): unknown[][] {
  return database
    .prepare(text)
    .all()
    .map((row) => Object.values(row))
}
