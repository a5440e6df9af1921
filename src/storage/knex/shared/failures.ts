import type { StorageFailure } from '../../../ports/storage/storage'
import { SchemaError } from './schema'

type Codes = ReadonlyMap<string, StorageFailure>
type Texts = readonly (readonly [RegExp, StorageFailure])[]

/** SQLSTATE codes and classes, and Node's codes for connections. */
const postgresCodes: Codes = new Map<string, StorageFailure>([
  ['40001', 'lost-race'],
  ['40P01', 'lost-race'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['53300', 'busy'],
  ['53100', 'full'],
  ['25006', 'read-only'],
  ['42501', 'not-allowed'],
  ['42P01', 'unmigrated'],
  ['57P', 'unreachable'],
  ['08', 'unreachable'],
  ['ECONN', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['ETIMEDOUT', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['22', 'refused-data'],
  ['54001', 'refused-data'],
])

const sqliteCodes: Codes = new Map<string, StorageFailure>([
  // The wait for the lock has timed out. A retry would only wait again.
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_BUSY_SNAPSHOT', 'lost-race'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_CANTOPEN', 'unreachable'],
])

/** Errors without a code, by the messages of the installed drivers. A test produces each of them. */
const postgresTexts: Texts = [
  [/Connection terminated|not queryable|Connection ended|Query read timeout/, 'unreachable'],
]

const sqliteTexts: Texts = [
  [/connection is not open/, 'unreachable'],
  [/^no such table/, 'unmigrated'],
]

/** From Knex itself: its pool has been destroyed. */
const poolTexts: Texts = [[/^Unable to acquire a connection/, 'unreachable']]

/** @param constraints those that reject a write because another one was faster. */
export function postgresFailure(error: unknown, constraints: readonly string[]): StorageFailure | undefined {
  const { code, constraint } = partsOf(error)
  if (code === '23505' && constraints.includes(constraint)) return 'lost-race'
  return failureOf(error, postgresCodes, postgresTexts)
}

export function sqliteFailure(error: unknown): StorageFailure | undefined {
  return failureOf(error, sqliteCodes, sqliteTexts)
}

/** The longest known prefix of the code decides, then the message. */
function failureOf(error: unknown, codes: Codes, texts: Texts): StorageFailure | undefined {
  if (error instanceof SchemaError) return error.failure
  const { code, name, message } = partsOf(error)
  if (name === 'KnexTimeoutError') return 'busy'
  for (let length = code.length; length > 1; length -= 1) {
    const failure = codes.get(code.slice(0, length))
    if (failure !== undefined) return failure
  }
  return [...texts, ...poolTexts].find(([pattern]) => pattern.test(message))?.[1]
}

/** Missing parts and parts that are not strings become an empty string. */
function partsOf(error: unknown): { readonly [part in 'code' | 'name' | 'message' | 'constraint']: string } {
  const given = (error ?? {}) as Record<string, unknown>
  const text = (part: string) => (typeof given[part] === 'string' ? given[part] : '')
  return { code: text('code'), name: text('name'), message: text('message'), constraint: text('constraint') }
}
