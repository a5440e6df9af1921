import type { ErrorDetailsView, ErrorView } from '../generated/index'

/** Options of a {@link ClientError}. */
export interface ClientErrorOptions extends Partial<Omit<ErrorView, 'name' | 'message' | 'url'>> {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** Name of the error; stable. */
  readonly name: string
  /** What is wrong and what to do. */
  readonly message: string
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter?: number
  /** The underlying error. */
  readonly cause?: unknown
}

/**
 * A request was rejected or failed. `name` is the name of the server's error, or one of these:
 *
 * - `NetworkError`: no response; `status` is 0.
 * - `SignInRequired`: a proxy redirected the request, or returned an HTML page. In browsers, `status` is 0 for a redirect.
 * - `UnknownResult`: a write got a success that is not the router's, such as an empty 200. It may have been executed or not:
 *   read before you retry. With an `idempotencyKey`, a retry is safe.
 * - `HttpError`: any other response that is not the router's.
 * - `IncompleteExport`: an export was cut off.
 *
 * @example
 * ```ts
 * try {
 *   await client.setState(place, { state: 'Approved' }, { ifMatch: review.revision })
 * } catch (error) {
 *   if (error instanceof ClientError && error.status === 412) await readAgain()
 *   else throw error
 * }
 *
 * declare const client: Client
 * declare const place: ChangeRequestPlace
 * declare const review: ReviewView
 * declare function readAgain(): Promise<void>
 * ```
 */
export class ClientError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The single problems; a missing requirement of a step has a `code`. */
  readonly details: ErrorDetailsView
  /** The missing permissions. */
  readonly permissions: readonly string[]
  /** The id of the response in the server log, or null. */
  readonly id: string | null
  /** Seconds to wait before a retry, or null. */
  readonly retryAfter: number | null

  constructor(options: ClientErrorOptions) {
    super(options.message, { cause: options.cause })
    this.name = options.name
    this.status = options.status
    this.details = options.details ?? []
    this.permissions = options.permissions ?? []
    this.id = options.id ?? null
    this.retryAfter = options.retryAfter ?? null
  }

  /** Whether a retry may succeed: there was no response, or the server is busy or unavailable. */
  get isTemporary(): boolean {
    return this.name !== 'SignInRequired' && [0, 408, 429, 502, 503, 504].includes(this.status)
  }

  /**
   * Whether the log lost the event after which a stream was to continue: the database failed over to a server without the
   * last events, or a backup was restored. Read what you show again, and follow after `lastEventId` of the detail.
   */
  get isPositionLost(): boolean {
    return this.status === 409 && this.details.some(({ code }: { code?: string }) => code === 'position-lost')
  }
}

/** Whether a sign-in proxy sent the response: the router neither redirects nor sends HTML. */
export function asksToSignIn({ type, status, headers }: Response): boolean {
  return (
    type === 'opaqueredirect' ||
    (status >= 300 && status < 400 && status !== 304) ||
    (status < 400 && /^text\/html\b/i.test(headers.get('content-type') ?? ''))
  )
}

export function signInRequired({ status, url, headers }: Response): ClientError {
  // The query can have secrets of the sign-in.
  const [to] = headers.get('location')?.split('?') ?? []
  const what = to ? `was redirected to ${to}` : status === 200 ? 'returned an HTML page' : 'was redirected'
  const message = `${url} ${what}, as by a proxy that requires a sign-in. Sign in, or check the option api.`
  return new ClientError({ status, name: 'SignInRequired', message })
}

/** The error in a response whose status is not 2xx. */
export async function toClientError(response: Response): Promise<ClientError> {
  const { status } = response
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retry = Number.isFinite(retryAfter) ? { retryAfter } : {}
  const body = (await response.json().catch(() => null)) as Partial<ErrorView> | null
  if (body?.name === undefined || body.message === undefined) {
    return new ClientError({ ...notFromRouter(response), ...retry })
  }
  const { name, message } = body
  return new ClientError({ ...body, status, name, message, ...retry })
}

/** The error for a response that is not one of the router, such as the 404 of another app, or the page of a proxy. */
export function notFromRouter({ status, url, ok }: Response, method = 'GET') {
  const isUnknown = ok && method !== 'GET'
  const advice = isUnknown
    ? 'The result is unknown: read before you retry.'
    : 'Check that the option api is the URL of the router.'
  const what = status < 500 ? `, ${ok ? 'but not a response of the router' : 'and no JSON'}. ${advice}` : '.'
  return { status, name: isUnknown ? 'UnknownResult' : 'HttpError', message: `${url} returned ${status}${what}` }
}
