/** Each wire name of an error with its HTTP status (contract 11.2). The only place that maps one to the other. */
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

/**
 * The wire name of an error: stable, the thing to branch on.
 *
 * @example
 * ```ts
 * const mayRetry = (name: ErrorName): boolean => name === 'UnavailableError' || name === 'ConflictError'
 * ```
 */
export type ErrorName = keyof typeof errorStatuses

/**
 * One thing that is wrong with a request.
 *
 * @example
 * ```ts
 * const detail: ErrorDetail = { message: 'must be boolean, got "yes"', path: '/body/0/payload/enabled' }
 * ```
 */
export interface ErrorDetail {
  /** What is wrong, for the caller. */
  readonly message: string
  /** Where in the request: `/body/…`, `/query/…` or `/params/…`, or the name of a property alone. */
  readonly path?: string
}

/**
 * What a {@link ChangeRequestError} may carry beside its name and message.
 *
 * @example
 * ```ts
 * const options: ChangeRequestErrorOptions = { retryAfter: 5, cause: new Error('connect ECONNREFUSED') }
 * throw new ChangeRequestError('UnavailableError', 'The flags cannot be read now. Try again.', options)
 * ```
 */
export interface ChangeRequestErrorOptions {
  /**
   * What is wrong, item by item.
   * @defaultValue the message alone
   */
  readonly details?: readonly ErrorDetail[]
  /** The permissions that were missing; PermissionError only. */
  readonly permissions?: readonly string[]
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number
  /** The private half: goes to the logger, never to the caller. */
  readonly cause?: unknown
}

const brand = Symbol.for('express-change-requests.error')

/**
 * A refusal or failure with a message for the caller. Hooks of the host may throw it as well, and it is answered as it
 * is, with the status of its name.
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
  /** The kind of the error, which decides the HTTP status. */
  override readonly name: ErrorName
  /** At least one item. */
  readonly details: readonly ErrorDetail[]
  /** The permissions that were missing; PermissionError only. */
  readonly permissions?: readonly string[]
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number

  constructor(name: ErrorName, message: string, options: ChangeRequestErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = name
    this.details = options.details ?? [{ message }]
    if (options.permissions !== undefined) this.permissions = options.permissions
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
    Object.defineProperty(this, brand, { value: true })
  }

  /** True for an error of this package, also from a second installed copy, where `instanceof` fails. */
  static is(error: unknown): error is ChangeRequestError {
    return typeof error === 'object' && error !== null && brand in error
  }
}
