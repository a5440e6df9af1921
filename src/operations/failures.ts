import { ChangeRequestError } from '../errors'
import { HookTimeoutError } from './call-hook'

/** What became of an operation when the storage failed, as far as the driver's error tells (reliability). */
type Failure =
  | 'lost race'
  | 'busy'
  | 'unmigrated'
  | 'read-only'
  | 'not allowed'
  | 'full'
  | 'refused data'
  | 'out of reach'

/** SQLSTATE codes and classes, SQLite codes and Node codes; the longest prefix that fits decides. */
const failures = new Map<string, Failure>([
  ['40001', 'lost race'],
  ['40P01', 'lost race'],
  ['23505', 'lost race'],
  ['SQLITE_BUSY', 'lost race'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['53300', 'busy'],
  ['53100', 'full'],
  ['SQLITE_FULL', 'full'],
  ['25006', 'read-only'],
  ['SQLITE_READONLY', 'read-only'],
  ['42501', 'not allowed'],
  ['42P01', 'unmigrated'],
  ['57P', 'out of reach'],
  ['08', 'out of reach'],
  ['ECONN', 'out of reach'],
  ['EPIPE', 'out of reach'],
  ['ETIMEDOUT', 'out of reach'],
  ['ENOTFOUND', 'out of reach'],
  ['EHOSTUNREACH', 'out of reach'],
  ['SQLITE_CANTOPEN', 'out of reach'],
  ['22', 'refused data'],
  ['54001', 'refused data'],
])

/** Errors without a code, by what the installed drivers say; a test pins the texts. */
const texts: readonly (readonly [RegExp, Failure])[] = [
  [/Connection terminated|not queryable|Connection ended|Query read timeout/, 'out of reach'],
  [/^Unable to acquire a connection|connection is not open/, 'out of reach'],
  [/^no such table/, 'unmigrated'],
]

function failureOf(error: unknown): Failure | undefined {
  const { code, name, message } = (error ?? {}) as { code?: unknown; name?: unknown; message?: unknown }
  if (name === 'KnexTimeoutError') return 'busy'
  const text = typeof message === 'string' ? texts.find(([pattern]) => pattern.test(message))?.[1] : undefined
  if (typeof code !== 'string') return text
  for (let length = code.length; length > 1; length -= 1) {
    const failure = failures.get(code.slice(0, length))
    if (failure !== undefined) return failure
  }
  return text
}

/** True when nothing was written and the same decision, made again on what is stored now, may succeed. */
export function isLostRace(error: unknown): boolean {
  return failureOf(error) === 'lost race'
}

const unavailable: { readonly [failure in Failure]: string } = {
  'lost race': 'Too many others write here at the moment. Try again.',
  busy: 'The database is busy. Try again.',
  unmigrated: 'The tables are not there yet: the host has to call migrate() first.',
  'read-only': 'The database is read-only at the moment. Reading goes on; try the write again later.',
  'not allowed': 'The host may not do this in its database: a right to the tables is missing.',
  full: 'The database has no space left. Reading goes on; try the write again later.',
  'out of reach': 'The database is out of reach. Whether a write arrived is unknown; read before you repeat it.',
  'refused data': 'The request holds a value that the database cannot store.',
}

/** Any error as one that the caller may see; the original goes along as its cause, for the logger alone. */
export function toChangeRequestError(error: unknown): ChangeRequestError {
  if (ChangeRequestError.is(error)) return error
  const failure = failureOf(error)
  if (failure === undefined) {
    return new ChangeRequestError('UnknownError', 'Something went wrong. The id of this answer stands in the log.', {
      cause: error,
    })
  }
  const name = failure === 'refused data' ? 'BadDataError' : 'UnavailableError'
  return new ChangeRequestError(name, unavailable[failure], { cause: error })
}

/** Rethrows an error of a gateway in our database; data or a constraint of its own that fails is no race of ours. */
export function fromGateway(error: unknown): never {
  const { code } = (error ?? {}) as { code?: unknown }
  throw typeof code === 'string' && /^(22|23|SQLITE_CONSTRAINT)/.test(code) ? gatewayFailure(error) : error
}

/** An error of a gateway elsewhere, whose codes tell nothing of our database. */
export function gatewayFailure(error: unknown, result = 'nothing was applied'): ChangeRequestError {
  if (ChangeRequestError.is(error)) return error
  if (error instanceof HookTimeoutError) {
    return new ChangeRequestError('UnavailableError', `The flag gateway did not answer in time; ${result}.`, {
      cause: error,
    })
  }
  return new ChangeRequestError('UnknownError', `The flag gateway failed; ${result}.`, { cause: error })
}
