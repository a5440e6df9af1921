import { ChangeRequestError, errorStatuses } from '../../errors'
import type { Storage, StorageFailure } from '../../ports/storage/storage'
import { HookTimeoutError, readableThrown } from './hooks'

export type Classifier = Pick<Storage, 'failureOf'>

const messages: Readonly<Record<StorageFailure, string>> = {
  'lost-race': 'Too many concurrent writes. Try again.',
  busy: 'The database is busy. Try again.',
  unmigrated: 'The database tables do not exist yet. The host app must call migrate() first.',
  'unsupported-schema':
    'The tables have a schema version that this release does not support. The server log has the version numbers.',
  'read-only': 'The database is currently read-only. Reads still work; try the write again later.',
  'not-allowed': "The app's database user lacks a privilege that this operation needs.",
  full: 'The database has no space left. Reads still work; try the write again later.',
  unreachable: 'The database is unreachable. A write may have succeeded; check before you retry it.',
  'refused-data': 'The request contains a value that the database cannot store.',
}

/** Undefined if `failureOf` of the storage throws or returns an unknown name. */
export function failureOf(storage: Classifier, error: unknown): StorageFailure | undefined {
  try {
    const failure = storage.failureOf(error)
    return failure !== undefined && Object.hasOwn(messages, failure) ? failure : undefined
  } catch {
    return undefined
  }
}

/** True if nothing was written, and the same decision may succeed on the content that is stored now. */
export function isLostRace(storage: Classifier, error: unknown): boolean {
  return !ChangeRequestError.is(error) && failureOf(storage, error) === 'lost-race'
}

/** True for an error with a status of 4xx, by which a hook rejects. Any other error is a failure of the hook. */
export function isRejectionByHook(error: unknown): error is ChangeRequestError {
  return ChangeRequestError.is(error) && (errorStatuses[error.name] ?? 500) < 500
}

/** Turns any error into one that is safe for the caller, with the original as its cause for the logger. */
export function toChangeRequestError(storage: Classifier, error: unknown): ChangeRequestError {
  if (ChangeRequestError.is(error)) return error
  const failure = failureOf(storage, error)
  if (failure === undefined) {
    return new ChangeRequestError('UnknownError', 'Something went wrong. Look up this id in the server log.', {
      cause: readableThrown(error),
    })
  }
  const name = failure === 'refused-data' ? 'BadDataError' : 'UnavailableError'
  return new ChangeRequestError(name, messages[failure], { cause: error })
}

/** The error of recording events of the host app, which says whether they may have been recorded. */
export function recordFailure(storage: Classifier, error: unknown): unknown {
  const failure = ChangeRequestError.is(error) ? undefined : failureOf(storage, error)
  if (failure === undefined) return error
  const { name, message } = toChangeRequestError(storage, error)
  const result =
    failure === 'unreachable'
      ? 'The database is unreachable. The events may have been recorded; check the log before you record them again.'
      : `${message} No event was recorded.`
  return new ChangeRequestError(name, result, { cause: error })
}

/** Failures of a single statement, as opposed to those of the whole transaction. */
const ofStatements: readonly (StorageFailure | undefined)[] = [undefined, 'refused-data', 'unmigrated', 'not-allowed']

/** Rethrows an error of a gateway inside our transaction. If only its own statement failed, the gateway is at fault. */
export function fromGateway(storage: Classifier, error: unknown): never {
  throw ofStatements.includes(failureOf(storage, error)) ? gatewayFailure(error) : error
}

/** Turns an error of a gateway outside our transaction into one that is safe for the caller. */
export function gatewayFailure(error: unknown, result = 'nothing was applied'): ChangeRequestError {
  if (ChangeRequestError.is(error)) return error
  if (error instanceof HookTimeoutError) {
    const text = `The flag gateway did not respond in time; ${result}.`
    return new ChangeRequestError('UnavailableError', text, { cause: error })
  }
  return new ChangeRequestError('UnknownError', `The flag gateway failed; ${result}.`, { cause: error })
}
