import { knex as createKnex } from 'knex'
import { Pool } from 'pg'
import { type PostgresStorage, postgresStorage } from '../../../src/storage/handles/postgres'
import { type KnexStorage, knexStorage } from '../../../src/storage/knex'
import type { CommonPostgresOptions } from '../../../src/storage/sql/postgres/options'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'

/** A storage on a handle of its own, like that of another process. */
export interface OpenHandle {
  readonly storage: KnexStorage | PostgresStorage
  /** Another storage on the same handle. */
  again(options: CommonPostgresOptions): KnexStorage | PostgresStorage
  /** The number of connections in use. */
  inUse(): number
  close(): Promise<void>
}

const maxConnections = 5
/**
 * Without it pg waits without end for a server that accepts a connection and does not respond: the connection stays open, and with
 * a `pg.Pool` it keeps its place in the pool.
 */
const connectionTimeoutMillis = 1_000

/** The handles that notice the failures of their connections. */
export const openHandles: readonly (readonly [
  name: string,
  open: (url: string, options?: CommonPostgresOptions) => OpenHandle,
])[] = [
  [
    'Knex',
    (url, options) => {
      const connection = { connectionString: url, connectionTimeoutMillis }
      // Knex would print each connection that it drops.
      const log = { debug() {}, warn() {}, error() {}, deprecate() {} }
      const knex = createKnex({ client: 'pg', connection, pool: { min: 0, max: maxConnections }, log })
      return opened(
        (more) => knexStorage({ knex, ...longTimeoutStorage, ...options, ...more }),
        () => knex.client.pool.numUsed(),
        () => knex.destroy(),
      )
    },
  ],
  [
    'pg.Pool',
    (url, options) => {
      const pool = new Pool({ connectionString: url, max: maxConnections, connectionTimeoutMillis })
      pool.on('error', () => undefined)
      return opened(
        (more) => postgresStorage({ pool, ...longTimeoutStorage, ...options, ...more }),
        () => pool.totalCount - pool.idleCount,
        () => pool.end(),
      )
    },
  ],
]

function opened(again: OpenHandle['again'], inUse: () => number, end: () => Promise<void>): OpenHandle {
  const storage = again({})
  return {
    storage,
    again,
    inUse,
    async close() {
      await storage.close()
      await end()
    },
  }
}
