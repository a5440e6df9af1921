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
  // The pool has only connections that the host app left in a transaction.
  ['25001', 'busy'],
  ['42501', 'not-allowed'],
  ['42P01', 'unmigrated'],
  ['57P', 'unreachable'],
  ['08', 'unreachable'],
  // A pooler in transaction mode has mixed up the prepared statements of its connections; nothing was executed.
  ['26000', 'busy'],
  ['42P05', 'busy'],
  ['08P01', 'busy'],
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
  [/Connection terminated|not queryable|Connection ended|Query read timeout|^timeout expired/, 'unreachable'],
]

const sqliteTexts: Texts = [
  [/connection is not open/, 'unreachable'],
  [/^no such table/, 'unmigrated'],
]

/** From the pool of Knex, pg or an ORM: it has been destroyed, or its own time limit for a connection has passed. */
const poolTexts: Texts = [
  [/^Unable to acquire a connection|^Cannot use a pool after calling end/, 'unreachable'],
  [/^driver has already been destroyed|^Driver not Connected/, 'unreachable'],
  [/^timeout exceeded when trying to connect/, 'busy'],
]

/** @param constraints those that reject a write because another one was faster. */
export function postgresFailure(error: unknown, constraints: readonly string[]): StorageFailure | undefined {
  const { code, constraint } = partsOf(driverError(error))
  if (code === '23505' && constraints.includes(constraint)) return 'lost-race'
  return failureOf(error, postgresCodes, postgresTexts)
}

export function sqliteFailure(error: unknown): StorageFailure | undefined {
  return failureOf(error, sqliteCodes, sqliteTexts)
}

/** The longest known prefix of the code decides, then the message; for an error that wraps another, that of its cause. */
function failureOf(error: unknown, codes: Codes, texts: Texts): StorageFailure | undefined {
  for (const each of withCauses(error)) {
    const failure = ownFailure(each, codes, texts)
    if (failure !== undefined) return failure
  }
  return undefined
}

function ownFailure(error: unknown, codes: Codes, texts: Texts): StorageFailure | undefined {
  if (error instanceof SchemaError) return error.failure
  const { code, name, message } = partsOf(error)
  if (name === 'AcquireTimeoutError' || name === 'KnexTimeoutError') return 'busy'
  for (let length = code.length; length > 1; length -= 1) {
    const failure = codes.get(code.slice(0, length))
    if (failure !== undefined) return failure
  }
  return [...texts, ...poolTexts].find(([pattern]) => pattern.test(message))?.[1]
}

/**
 * The error of the driver, if a library has wrapped it; otherwise the error itself. Wrappers can copy the code of the driver's
 * error, and many hold the statement and its parameters, which must not reach a log.
 */
export function driverError(error: unknown): unknown {
  const chain = withCauses(error)
  return chain.findLast((each) => partsOf(each).code !== '') ?? chain.at(-1)
}

const maxCauses = 10

/** The error, its cause, the cause of that, and so on. TypeORM has the cause as `driverError`. */
function withCauses(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next = error
  while (next != null && chain.length < maxCauses) {
    chain.push(next)
    const { cause, driverError } = next as { cause?: unknown; driverError?: unknown }
    next = cause ?? driverError
  }
  return chain
}

/** The SQLSTATE of the driver's error, or another code; empty if it has none. */
export function codeOf(error: unknown): string {
  return partsOf(driverError(error)).code
}

function partsOf(error: unknown): { readonly [part in 'code' | 'name' | 'message' | 'constraint']: string } {
  const given = (error ?? {}) as Record<string, unknown>
  const text = (part: string) => (typeof given[part] === 'string' ? given[part] : '')
  return { code: text('code'), name: text('name'), message: text('message'), constraint: text('constraint') }
}
