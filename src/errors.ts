import type { StepCode } from './generated/index'

/** The HTTP status of each error name (contract 11.2). */
export const errorStatuses = {
  BadDataError: 400,
  ExceedsLimitError: 400,
  AuthenticationRequired: 401,
  UnauthorizedError: 401,
  PermissionError: 403,
  OperationDeniedError: 403,
  ForbiddenError: 403,
  NotFoundError: 404,
  ConflictError: 409,
  PreconditionFailedError: 412,
  PreconditionRequiredError: 428,
  PayloadTooLargeError: 413,
  ContentTypeError: 415,
  IdempotencyMismatchError: 422,
  UnknownError: 500,
  UnavailableError: 503,
} as const

/** The name of an error, as in the response. The meaning of a name is stable: branch on it. */
export type ErrorName = keyof typeof errorStatuses

/** One problem of a request. */
export interface ErrorDetail {
  /** What is wrong and what is expected, for the caller. */
  readonly message: string
  /** Where in the request: `/body/…`, `/query/…` or `/params/…`, or the name of a property alone. */
  readonly path?: string
  /** The code of a missing requirement, such as `missing-approvals`; `position-lost` for a stream that cannot continue. */
  readonly code?: StepCode | 'position-lost'
  /** Only with `position-lost`: the id of the newest event, for `Last-Event-ID`. */
  readonly lastEventId?: string
}

/** Options of a {@link ChangeRequestError}, in addition to its name and message. */
export interface ChangeRequestErrorOptions {
  /**
   * The problems one by one.
   * @defaultValue one with the message
   */
  readonly details?: readonly ErrorDetail[]
  /** The missing permissions; PermissionError only. */
  readonly permissions?: readonly string[]
  /** Seconds after which to retry; sent as `Retry-After`. */
  readonly retryAfter?: number
  /** Where a user can continue, such as a screen of the review page. */
  readonly url?: string | undefined
  /** The cause, for the logger; callers never see it. */
  readonly cause?: unknown
}

const brand = Symbol.for('express-change-requests.error')

/**
 * An error with a message for the caller. Your hooks can throw it too; the response then has its message, and the status
 * of its name.
 *
 * @example
 * ```ts
 * try {
 *   await router.events.record({ type: 'feature-archived', createdBy: 'ann@example.com' })
 * } catch (error) {
 *   if (ChangeRequestError.is(error) && error.name === 'BadDataError') console.log(error.details)
 *   else throw error
 * }
 * ```
 */
export class ChangeRequestError extends Error {
  /** The kind of error, which implies the HTTP status. */
  override readonly name: ErrorName
  /** At least one item. */
  readonly details: readonly ErrorDetail[]
  /** The missing permissions; PermissionError only. */
  readonly permissions?: readonly string[]
  /** Seconds after which to retry. */
  readonly retryAfter?: number
  /** Where a user can continue. */
  readonly url?: string

  constructor(name: ErrorName, message: string, options: ChangeRequestErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = name
    this.details = options.details ?? [{ message }]
    if (options.permissions !== undefined) this.permissions = options.permissions
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
    if (options.url !== undefined) this.url = options.url
    Object.defineProperty(this, brand, { value: true })
  }

  /** The HTTP status of the name (contract 11.2), for your own error handler. */
  get status(): number {
    return errorStatuses[this.name] ?? 500
  }

  /** True for an error of this package. Unlike `instanceof` it also works across two installed copies. */
  static is(error: unknown): error is ChangeRequestError {
    return hasBrand(error, brand)
  }
}

/**
 * Whether a value has the brand of a class. Unlike `instanceof` it also works across two installed copies. False for a value that
 * cannot be read, such as a revoked proxy: anything can be thrown.
 */
export function hasBrand(value: unknown, brand: symbol): boolean {
  try {
    return typeof value === 'object' && value !== null && brand in value
  } catch {
    return false
  }
}
