import { Pool, type PoolConfig } from 'pg'
import { createPostgresStorage } from '../../../src/storage/handles/postgres/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import { databases, type OpenDatabase, type Place, postgres, sqlite } from '.'

/** Opens a store on Postgres again with a `pg.Pool`. */
export function openPool(place: Place, config: PoolConfig = {}, pool = openPgPool(place, config)) {
  const { durability: _, ...options } = place.storage
  const storage = createPostgresStorage({ pool, ...options }, migrations)
  return {
    pool,
    place,
    storage,
    breakConnection: () => pool.end(),
    async close() {
      await storage.close()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Both databases, and servers that open them without Knex. The test itself uses Knex. */
export const servers = [
  ...databases.map((kind) => ({ ...kind, title: kind.name as string, opened: {} })),
  {
    ...sqlite,
    title: 'a Database of better-sqlite3',
    opened: { handle: 'database' as const },
  },
  { ...postgres, title: 'a pg.Pool', opened: { handle: 'pool' as const } },
]

/** A `pg.Pool` whose search path is the schema of the store. */
export function openPgPool({ knex }: Pick<Place, 'knex'>, config: PoolConfig = {}): Pool {
  if (knex.client !== 'pg') throw new Error('The store is not on Postgres.')
  const pool = new Pool({ connectionString: knex.connection, options: `-c search_path=${knex.searchPath}`, ...config })
  // An idle client that the server disconnects would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** Replaces the storage of an open database by one on another handle, and closes both together. */
export function withHandle<Storage>(
  open: OpenDatabase,
  again: { readonly storage: Storage; breakConnection(): Promise<void>; close(): Promise<void> },
): Omit<OpenDatabase, 'storage'> & { readonly storage: Storage } {
  return {
    ...open,
    storage: again.storage,
    breakConnection: () => again.breakConnection(),
    async close() {
      await again.close()
      await open.close()
    },
  }
}

/** The pool of a host app, for an ORM that does not listen for errors of its connections: without a listener, one ends the process. */
export function guardedPool(config: PoolConfig): Pool {
  const pool = new Pool(config)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
