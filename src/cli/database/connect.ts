import { existsSync } from 'node:fs'
import { getBuiltinModule } from 'node:process'
import type { Storage } from '../../ports/storage/storage'
import type { SqliteDatabase } from '../../storage/handles/sqlite'
import { load, UsageError } from '../command'

export interface Target {
  readonly client: 'pg' | 'better-sqlite3'
  /** For messages, without secrets. */
  readonly name: string
  readonly connection: string
}

export interface StoreNames {
  readonly tablePrefix?: string
  readonly schema?: string
}

interface Opened {
  readonly storage: Storage
  close(): Promise<void>
}

const connectTimeoutMs = 10_000

export function toTarget(connection: string): Target {
  if (/^postgres(?:ql)?:\/\//.test(connection)) {
    const url = URL.canParse(connection) ? new URL(connection) : undefined
    if (url === undefined)
      throw new UsageError('The Postgres URL is not valid. Percent-encode special characters in its password.')
    return { client: 'pg', name: `Postgres ${url.host}${url.pathname}`, connection }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(connection)) {
    throw new UsageError('The connection must be a URL that begins with postgres://, or a SQLite file.')
  }
  return { client: 'better-sqlite3', name: `SQLite ${connection}`, connection }
}

/** What may happen to a SQLite file; by default it must exist, and is written to. */
export interface FileAccess {
  readonly mayCreate?: boolean
  readonly readOnly?: boolean
}

export function open(target: Target, names: StoreNames, access: FileAccess): Promise<Opened> {
  return target.client === 'pg' ? openPostgres(target, names) : openSqlite(target, names, access)
}

async function openPostgres({ connection }: Target, names: StoreNames) {
  const { Pool } = await load('pg', () => import('pg'))
  const { postgresStorage } = await import('../../storage/handles/postgres/index.js')
  const pool = new Pool({ connectionString: connection, max: 1, connectionTimeoutMillis: connectTimeoutMs })
  // Without a listener, an idle connection that is lost would end the process.
  pool.on('error', () => undefined)
  try {
    const storage = postgresStorage({ pool, acquireTimeoutMs: connectTimeoutMs, ...names })
    await pool.query('select 1')
    return { storage, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    if (!/timeout/.test((error as Error).message)) throw error
    throw new Error(`No response within ${connectTimeoutMs / 1000} s. Check the host and the port.`)
  }
}

async function openSqlite({ connection }: Target, names: StoreNames, { mayCreate, readOnly = false }: FileAccess) {
  if (!mayCreate && !existsSync(connection)) throw new Error('The file does not exist. Run migrate to create it.')
  const openFile = await loadSqlite()
  const { sqliteStorage } = await import('../../storage/handles/sqlite/index.js')
  const database = openFile(connection, readOnly)
  try {
    return { storage: sqliteStorage({ database, ...names }), close: async () => void database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

type OpenFile = (file: string, readOnly: boolean) => SqliteDatabase & { close(): unknown }

/** better-sqlite3, or node:sqlite where it is not installed. */
async function loadSqlite(): Promise<OpenFile> {
  try {
    const { default: Database } = await load('better-sqlite3', () => import('better-sqlite3'))
    return (file, readonly) => new Database(file, { readonly })
  } catch (error) {
    const node = getBuiltinModule('node:sqlite') as NodeSqlite | undefined
    // Absent before Node 22.16, where the storage cannot use it.
    if (node === undefined || !('isTransaction' in new node.DatabaseSync(':memory:'))) throw error
    return (file, readOnly) => new node.DatabaseSync(file, { readOnly })
  }
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly: boolean }) => ReturnType<OpenFile>
}
