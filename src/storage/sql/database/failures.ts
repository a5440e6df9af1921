import type { StorageFailure } from '../../../ports/storage/storage'
import { SchemaError } from './schema'

type Codes = ReadonlyMap<string, StorageFailure>
type Texts = readonly (readonly [RegExp, StorageFailure])[]

/** SQLSTATE codes and classes, and the codes of Node, postgres.js and Prisma for connections. */
const postgresCodes = codesOf({
  'lost-race': ['40001', '40P01'],
  // 25001: the pool has only connections that the host app left in a transaction. 26000, 42P05 and 08P01: a pooler in
  // transaction mode has mixed up the prepared statements of its connections; nothing was executed.
  busy: ['55P03', '57014', '53300', '25001', '26000', '42P05', '08P01', 'P2028'],
  full: ['53100'],
  'read-only': ['25006'],
  'not-allowed': ['42501'],
  unmigrated: ['42P01'],
  unreachable: ['57P', '08', 'P1', 'CONNECT', 'ECONN', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  'refused-data': ['22', '54001'],
})

const sqliteCodes = codesOf({
  // The wait for the lock has timed out. A retry would only wait again.
  busy: ['SQLITE_BUSY'],
  'lost-race': ['SQLITE_BUSY_SNAPSHOT'],
  full: ['SQLITE_FULL'],
  'read-only': ['SQLITE_READONLY'],
  unreachable: ['SQLITE_CANTOPEN'],
})

function codesOf(codes: Partial<Record<StorageFailure, readonly string[]>>): Codes {
  const failures = Object.entries(codes) as [StorageFailure, readonly string[]][]
  return new Map(failures.flatMap(([failure, list]) => list.map((code) => [code, failure])))
}

/** Errors without a code, by the messages of the installed drivers. A test produces each of them. */
const postgresTexts: Texts = [
  [/Connection terminated|not queryable|Connection ended|Query read timeout|^timeout expired/, 'unreachable'],
]

const sqliteTexts: Texts = [
  [/(connection|database) is not open|^statement has been finalized/, 'unreachable'],
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
  if (codeOf(error) === '23505' && constraints.includes(constraintOf(error))) return 'lost-race'
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

/** The error, its cause, the cause of that, and so on. TypeORM has the cause as `driverError`, Prisma in `meta`. */
function withCauses(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next = error
  while (next != null && chain.length < maxCauses) {
    chain.push(fromAdapter(next))
    const { cause, driverError, meta } = next as Wrapper
    next = cause ?? driverError ?? meta?.driverAdapterError
  }
  return chain
}

interface Wrapper {
  readonly cause?: unknown
  readonly driverError?: unknown
  readonly meta?: { readonly driverAdapterError?: unknown }
}

/** An adapter of Prisma keeps the parts of the driver's error under other names, in an object that is no error. */
function fromAdapter(given: unknown): unknown {
  const { originalCode, originalMessage, constraint } = given as AdapterError
  if (typeof originalCode !== 'string') return given
  return Object.assign(new Error(originalMessage), { code: originalCode, constraint: constraint?.index })
}

interface AdapterError {
  readonly originalCode?: unknown
  readonly originalMessage?: string
  readonly constraint?: { readonly index?: string }
}

/** The SQLSTATE of the driver's error, or another code; empty if it has none. */
export function codeOf(error: unknown): string {
  return partsOf(driverError(error)).code
}

/** The constraint that the driver's error names; empty if it names none. */
export function constraintOf(error: unknown): string {
  return partsOf(driverError(error)).constraint
}

function partsOf(error: unknown): { readonly [part in 'code' | 'name' | 'message' | 'constraint']: string } {
  const given = (error ?? {}) as Record<string, unknown>
  const text = (part: string) => (typeof given[part] === 'string' ? given[part] : '')
  const code = sqliteCode(given.errcode) ?? text('code')
  return {
    code,
    name: text('name'),
    message: text('message'),
    constraint: text('constraint') || text('constraint_name'),
  }
}

/** The numbers of SQLite, which node:sqlite has in place of their names: a code, or one with its details in the higher bits. */
const sqliteNumbers: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  517: 'SQLITE_BUSY_SNAPSHOT',
}

function sqliteCode(errcode: unknown): string | undefined {
  return typeof errcode === 'number' ? (sqliteNumbers[errcode] ?? sqliteNumbers[errcode & 255]) : undefined
}

/**
 * The database reported success, but has not stored all rows. A trigger can do that: on Postgres with `return null`, on SQLite
 * with `raise(ignore)`. The write is rolled back.
 */
export class LostRowsError extends Error {
  override readonly name = 'LostRowsError'

  constructor(tables: string) {
    super(
      `The database did not store all rows of this write in ${tables}, so nothing of it was stored. Look for a trigger that skips rows.`,
    )
  }
}

/** Whether the database rejected a statement and rolled back: with one of these codes, or because rows were lost. */
export function rejects(codes: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof LostRowsError || codes.test(partsOf(error).code)
}
