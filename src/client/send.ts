import { ClientError, notFromRouter, toClientError } from './client-error'
import type { Answer, ClientOptions, WriteOptions } from './client-options'

export interface ClientRequest extends WriteOptions {
  readonly method?: string
  readonly query?: Readonly<Record<string, string | number | null | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests to one router. */
export interface Sender {
  /** The raw response, also for 304. @throws ClientError for any other status that is not 2xx */
  fetch(path: string, request?: ClientRequest): Promise<Response>
  /** Repeats reads, and writes with an idempotency key. @throws ClientError */
  json<Body>(path: string, request?: ClientRequest): Promise<Answer<Body>>
  /** Sends one request. @throws ClientError */
  once<Body>(path: string, request?: ClientRequest): Promise<Answer<Body>>
  /** Repeats a call that fails temporarily, for `maxRetryMs`. @throws ClientError */
  retry<Value>(call: (isRepeat: boolean) => Promise<Value>, signal?: AbortSignal): Promise<Value>
}

/** Path segments, encoded: `path('projects', 'my shop')` is `/projects/my%20shop`. */
export function path(...segments: (string | number)[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** Without `repeat`, each request is sent once: the review page repeats by itself. */
export function createSender(options: ClientOptions, repeat: Sender['retry'] = (call) => call(false)): Sender {
  const base = options.api.replace(/\/+$/, '')
  const send = options.fetch ?? ((url, init) => globalThis.fetch(url, init))

  const fetchResponse: Sender['fetch'] = async (address, request = {}) => {
    const init: RequestInit = {
      method: request.method ?? 'GET',
      headers: toHeaders(options, request),
      credentials: options.credentials ?? 'same-origin',
      ...(request.signal && { signal: request.signal }),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }
    const response = await send(base + address + toQuery(request.query), init).catch((cause) => {
      if (request.signal?.aborted) throw cause
      throw networkError(cause)
    })
    if (!response.ok && response.status !== 304) throw await toClientError(response)
    return response
  }

  const once: Sender['once'] = async (address, request) => {
    const response = await fetchResponse(address, request)
    return { body: await readBody(response, request?.signal), etag: response.headers.get('etag') }
  }

  return {
    fetch: fetchResponse,
    once,
    retry: repeat,
    json(address, request = {}) {
      const isSafe = request.method === undefined || request.idempotencyKey !== undefined
      return isSafe ? repeat(() => once(address, request), request.signal) : once(address, request)
    },
  }
}

function networkError(cause: unknown): ClientError {
  return new ClientError({ status: 0, name: 'NetworkError', message: 'The server cannot be reached.', cause })
}

/** The JSON of a response. @throws ClientError for other content, such as the sign-in page of a proxy, which is 200 too */
export async function readBody<Body>(response: Response, signal: AbortSignal | undefined): Promise<Body> {
  const text = await response.text().catch((cause) => {
    if (signal?.aborted) throw cause
    throw networkError(cause)
  })
  try {
    return JSON.parse(text === '' ? 'null' : text)
  } catch (cause) {
    throw new ClientError({ ...notFromRouter(response), cause })
  }
}

function toHeaders({ key, headers }: ClientOptions, request: ClientRequest): Record<string, string> {
  const { ifMatch, ifNoneMatch, idempotencyKey } = request
  return {
    Accept: 'application/json',
    ...(key !== undefined && { Authorization: key }),
    ...(typeof headers === 'function' ? headers() : headers),
    ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(ifMatch !== undefined && { 'If-Match': /^(?:W\/)?"|^\*$/.test(ifMatch) ? ifMatch : `"${ifMatch}"` }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...request.headers,
  }
}

function toQuery(query: ClientRequest['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
