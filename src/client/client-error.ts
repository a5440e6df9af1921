import type { ErrorDetailsView, ErrorView } from '../generated/index'

/**
 * What a {@link ClientError} is made of.
 *
 * @example
 * ```ts
 * const options: ClientErrorOptions = { status: 403, name: 'PermissionError', message: 'You lack a permission.' }
 * const error = new ClientError(options)
 * ```
 */
export interface ClientErrorOptions extends Partial<Omit<ErrorView, 'name' | 'message'>> {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** Kind of the error; stable. */
  readonly name: string
  /** What to do about it. */
  readonly message: string
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter?: number
  /** What failed below. */
  readonly cause?: unknown
}

/**
 * Why a request was refused or failed. `name` is that of the server's error, `NetworkError` where no answer came (its
 * `status` is 0), `HttpError` where something between answered, and `IncompleteExport` for an export that was cut off.
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
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** What is wrong, item by item; what a step is missing has a `code`. */
  readonly details: ErrorDetailsView
  /** Permissions that were missing. */
  readonly permissions: readonly string[]
  /** Names the answer in the log of the server, or null. */
  readonly id: string | null
  /** Seconds after which the server wants to be asked again, or null. */
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

  /** Whether the same request may succeed later: no answer came, or the server is busy or out of reach. */
  get isTemporary(): boolean {
    return [0, 408, 429, 502, 503, 504].includes(this.status)
  }
}

/** The error in an answer that is none of 2xx and 304. */
export async function toClientError(response: Response): Promise<ClientError> {
  const { status } = response
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const told = Number.isFinite(retryAfter) ? { retryAfter } : {}
  const body = (await response.json().catch(() => null)) as Partial<ErrorView> | null
  if (body?.name === undefined || body.message === undefined) {
    return new ClientError({ status, name: 'HttpError', message: `The server answered ${status}.`, ...told })
  }
  const { name, message } = body
  return new ClientError({ ...body, status, name, message, ...told })
}
