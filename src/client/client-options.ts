/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The URL of the router with its base path: `https://flags.example/api/admin`; in browsers also `/api/admin`. */
  readonly api: string
  /** An API key, sent as `Authorization`. */
  readonly key?: string
  /** Additional headers; a function is called for each request. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** Whether a browser sends its cookies. @defaultValue 'same-origin' */
  readonly credentials?: 'omit' | 'same-origin' | 'include'
  /**
   * How long a call is repeated while the server is unavailable, for example during a failover of its database. Only what is safe
   * to repeat: reads, writes with an `idempotencyKey`, and `setState` with `ifMatch`, which reads first whether the decision
   * was stored. @defaultValue 0
   */
  readonly maxRetryMs?: number
  /** @defaultValue the global `fetch` */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The body of a response, with its entity tag. */
export interface Answer<Body> {
  /** The parsed JSON. */
  readonly body: Body
  /** The header `ETag`, or null without one. */
  readonly etag: string | null
}

/** Options of each call. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** The `etag` of a response, or a `revision`: unless it is current, the write is rejected with 412. */
  readonly ifMatch?: string | undefined
  /** For proposals: `*` requires a new change request. If the changes would be added to an open one, the response is 412. */
  readonly ifNoneMatch?: '*' | undefined
  /** Makes retries safe: writes with the same key are executed once. For proposals, comments, reverts and copies. */
  readonly idempotencyKey?: string | undefined
}
