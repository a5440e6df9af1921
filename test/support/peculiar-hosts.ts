import type { Knex } from 'knex'
import type { Client } from 'pg'
import type { OpenOptions } from './databases'
import { caseMappers } from './databases/case-mappers'

/**
 * Everything that plugins and settings of a host can change about a Knex: columns in results of Knex are renamed, values
 * of the driver have other types, and each session has other defaults.
 */
const plugins: Partial<Knex.Config> = {
  ...caseMappers,
  asyncStackTraces: true,
  debug: true,
  log: { debug() {}, warn() {}, error() {}, deprecate() {} },
  ...{ userParams: { tenant: 'host' } },
}

/** The used part of a connection of better-sqlite3. */
interface SqliteConnection {
  defaultSafeIntegers(on: boolean): void
  pragma(text: string): void
}

const pragmas = ['foreign_keys = on', 'recursive_triggers = on', 'case_sensitive_like = on', 'trusted_schema = off']

export const peculiarSqlite: OpenOptions = {
  host: {
    ...plugins,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: SqliteConnection, done: (error: unknown) => void) {
        connection.defaultSafeIntegers(true)
        for (const pragma of [...pragmas, 'reverse_unordered_selects = on']) connection.pragma(pragma)
        done(null)
      },
    },
  },
}

const settings = {
  DateStyle: 'SQL, DMY',
  TimeZone: 'Asia/Kathmandu',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  extra_float_digits: '-15',
  default_transaction_isolation: 'repeatable read',
  default_transaction_deferrable: 'on',
  idle_in_transaction_session_timeout: '10min',
  statement_timeout: '20min',
  lock_timeout: '20min',
  client_min_messages: 'debug1',
}

const textType = 25

/** Knex itself reads the version of the server as text. All other values become objects. */
const types = {
  getTypeParser: (type: number) => (text: string) => (type === textType ? text : { type, text }),
}

export function peculiarPostgres(pool: { readonly max: number } = { max: 10 }): OpenOptions {
  return {
    host: {
      ...plugins,
      connection: { connectionString: process.env.TEST_POSTGRES_URL, types } as Knex.PgConnectionConfig,
      pool: {
        min: 0,
        ...pool,
        afterCreate(connection: Client, done: (error: unknown) => void) {
          const texts = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`)
          connection.query(texts.join(';')).then(() => done(null), done)
        },
      },
    },
  }
}
