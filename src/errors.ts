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
  PayloadTooLargeError: 413,
  ContentTypeError: 415,
  IdempotencyMismatchError: 422,
  UnknownError: 500,
  UnavailableError: 503,
} as const

/** The wire name of an error: stable, the thing to branch on. */
export type ErrorName = keyof typeof errorStatuses

/** One thing that is wrong; `path` points into the request, such as `/body/0/payload/enabled`. */
export interface ErrorDetail {
  readonly message: string
  readonly path?: string
}

export interface ChangeRequestErrorOptions {
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
 * A refusal or failure with a message for the caller. Hooks of the host may throw it as well.
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
  override readonly name: ErrorName
  readonly details: readonly ErrorDetail[]
  readonly permissions?: readonly string[]
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
