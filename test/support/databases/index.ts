import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import { Client } from 'pg'
import type { KnexStorage, KnexStorageOptions } from '../../../src/storage/knex'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import { longTimeoutMs, longTimeoutStorage } from './long-timeouts'
import { withSecond } from './second-migration'

type StorageOptions = Omit<KnexStorageOptions, 'knex'>

/**
 * How to open the same store again, also in another process. It can be serialized as JSON:
 * `knexStorage({ knex: knex(place.knex), ...place.storage })`.
 */
export interface Place {
  readonly knex: { readonly acquireConnectionTimeout: number } & (
    | { readonly client: 'better-sqlite3'; readonly connection: { filename: string }; readonly useNullAsDefault: true }
    | { readonly client: 'pg'; readonly connection: string; readonly searchPath: string[] }
  )
  readonly storage: StorageOptions
  /** The storage of a later release, which has a second migration. */
  readonly second?: boolean
}

export interface OpenDatabase {
  readonly knex: Knex
  readonly storage: KnexStorage
  readonly place: Place
  /** Destroys the pool of the storage, as a host does when it stops. */
  breakConnection(): Promise<void>
  /** Runs a statement manually, as an operator does. */
  removeEvents(upToId: number): Promise<void>
  /** Closes the storage, destroys the Knex and removes the data. Can be called twice. */
  close(): Promise<void>
}

export interface OpenOptions extends StorageOptions {
  /** Postgres: by default at most ten connections. SQLite always has one. */
  readonly pool?: Knex.PoolConfig
  /** Further settings of the host's Knex, such as case mappers. */
  readonly host?: Partial<Knex.Config>
  /**
   * False leaves the database empty.
   * @defaultValue `true`
   */
  readonly migrate?: boolean
  /**
   * Postgres: false omits the option `schema` and sets the search path instead.
   * @defaultValue `true`
   */
  readonly namedSchema?: boolean
  /**
   * As in {@link Place}.
   * @defaultValue `false`
   */
  readonly second?: boolean
}

export interface TestDatabase {
  readonly name: 'SQLite' | 'Postgres'
  /** A fresh store for one test, migrated unless `migrate` is false. */
  open(options?: OpenOptions): Promise<OpenDatabase>
}

/** The limit of the storage must apply first. */
const longTimeoutPool = { acquireConnectionTimeout: longTimeoutMs }

/** A new file each; WAL needs a file. */
export const sqlite: TestDatabase = {
  name: 'SQLite',
  async open({ namedSchema: _, ...options } = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'change-requests-sqlite-'))
    const connection = { filename: join(folder, 'store.sqlite') }
    return opened({ client: 'better-sqlite3', connection, useNullAsDefault: true, ...longTimeoutPool }, options, () =>
      rm(folder, { recursive: true, force: true }),
    )
  },
}

/** A new schema each, on the server in TEST_POSTGRES_URL. */
export const postgres: TestDatabase = {
  name: 'Postgres',
  async open({ namedSchema = true, ...options } = {}) {
    const url = process.env.TEST_POSTGRES_URL
    if (url === undefined) throw new Error('TEST_POSTGRES_URL is not set; the Jest projects that use Postgres set it.')
    const schema = `test_${randomBytes(8).toString('hex')}`
    await runOnce(url, `create schema ${schema}`)
    return opened(
      { client: 'pg', connection: url, searchPath: [schema], ...longTimeoutPool },
      { ...(namedSchema ? { schema } : {}), ...options },
      () => runOnce(url, `drop schema if exists ${schema} cascade`),
    )
  },
}

/**
 * One schema and one pool for many tests, with a new storage for each of them: creating and dropping a schema takes longer than
 * most tests, and so does connecting. Only for tests that run serially and alter no table.
 */
export function reusedPostgres(options: OpenOptions = {}) {
  const { pool = { min: 0, max: 10 }, host } = options
  let first: OpenDatabase | undefined
  let shared: OpenDatabase | undefined
  return {
    async open(): Promise<OpenDatabase> {
      first ??= await postgres.open({ ...options, pool: { min: 0, max: 1 } })
      const { place } = first
      if (place.knex.client === 'pg') await first.knex.raw(emptySchema(place.knex.searchPath[0] ?? ''))
      shared ??= openAgain(place, { pool, ...host })
      const { knex } = shared
      const storage = createKnexStorage({ knex, ...place.storage }, migrations)
      return {
        ...shared,
        storage,
        async breakConnection() {
          shared = undefined
          await knex.destroy()
        },
        close: () => storage.close(),
      }
    },
    async drop() {
      await shared?.close()
      await first?.close()
    },
  }
}

/** The state after `migrate()`: only the rows of the schema version, and ids from 1. */
function emptySchema(schema: string): string {
  return `do $$ declare found record; begin
    for found in select tablename as name from pg_tables where schemaname = '${schema}' and tablename not like '%meta' loop
      execute format('delete from ${schema}.%I', found.name);
    end loop;
    insert into ${schema}.ffcr_event_log (one, id) values (1, gen_random_uuid()::text);
    for found in select sequencename as name from pg_sequences where schemaname = '${schema}' loop
      execute format('alter sequence ${schema}.%I restart', found.name);
    end loop;
  end $$`
}

/** Both databases, for behaviour that can differ between them. */
export const databases: readonly TestDatabase[] = [sqlite, postgres]

/** The same for behaviour that hardly can: the nightly run adds Postgres. Also read by processes without Jest. */
export const oneDatabase: readonly TestDatabase[] = process.env.NIGHTLY === 'true' ? databases : [sqlite]

async function opened(
  config: Place['knex'],
  { pool = { min: 0, max: 10 }, host, migrate = true, second = false, ...options }: OpenOptions,
  remove: () => Promise<void>,
): Promise<OpenDatabase> {
  const again = openAgain(
    { knex: config, storage: { ...longTimeoutStorage, ...options }, second },
    { ...(config.client === 'pg' ? { pool } : {}), ...host },
  )
  let closing: Promise<void> | undefined
  const close = () => (closing ??= again.close().then(remove))
  try {
    if (migrate) await again.storage.migrate()
    return { ...again, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A second Knex and storage on an open store, like those of another process. */
export function openAgain(place: Place, host: Partial<Knex.Config> = {}): OpenDatabase {
  const knex = createKnex({ ...place.knex, ...host })
  const storage = createKnexStorage({ knex, ...place.storage }, place.second ? withSecond : migrations)
  return {
    knex,
    storage,
    place,
    breakConnection: () => knex.destroy(),
    async removeEvents(upToId) {
      await knex(`${place.storage.tablePrefix ?? 'ffcr_'}events`)
        .where('id', '<=', upToId)
        .del()
    },
    async close() {
      await storage.close()
      await knex.destroy()
    },
  }
}

/** Uses a separate connection, so that the state of the pool does not matter. */
async function runOnce(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
