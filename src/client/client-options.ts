/**
 * Options of {@link createClient}.
 *
 * @example
 * ```ts
 * const options: ClientOptions = { api: '/api/admin', headers: () => ({ Authorization: currentKey() }) }
 *
 * declare function currentKey(): string
 * ```
 */
export interface ClientOptions {
  /** The address of the router with its base path: `https://flags.example/api/admin`; in browsers also `/api/admin`. */
  readonly api: string
  /** An API key, sent as `Authorization`. */
  readonly key?: string
  /** More headers; a function is called for each request. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** Whether a browser sends its cookies. @defaultValue 'same-origin' */
  readonly credentials?: 'omit' | 'same-origin' | 'include'
  /** @defaultValue the global `fetch` */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * An answer, with its entity tag.
 *
 * @example
 * ```ts
 * const { body, etag }: Answer<ReviewView> = await client.review({ project: 'shop', id: 42 })
 *
 * declare const client: Client
 * ```
 */
export interface Answer<Body> {
  /** The JSON of the answer. */
  readonly body: Body
  /** The header `ETag`, or null where the answer has none. */
  readonly etag: string | null
}

/**
 * What any call takes.
 *
 * @example
 * ```ts
 * const options: CallOptions = { signal: AbortSignal.timeout(5_000) }
 * ```
 */
export interface CallOptions {
  /** Ends the call; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * What a call that writes takes.
 *
 * @example
 * ```ts
 * const options: WriteOptions = { ifMatch: review.revision, idempotencyKey: crypto.randomUUID() }
 *
 * declare const review: ReviewView
 * ```
 */
export interface WriteOptions extends CallOptions {
  /** The `etag` of an answer, or a `revision`: the write is refused with 412 unless it is the present one. */
  readonly ifMatch?: string | undefined
  /** Names this write: repeated with the same one, it is done once. Proposals, comments and reverts honour it. */
  readonly idempotencyKey?: string | undefined
}
