import type { ChangeRequestView } from '../generated/index'
import { asksToSignIn, ClientError, notFromRouter, signInRequired, toClientError } from './client-error'
import type { Answer, ClientOptions, WriteOptions } from './client-options'

export interface ClientRequest extends WriteOptions {
  readonly method?: string
  /** A list becomes a parameter for each item. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | null | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The success that a route declares. Anything else is not a response of the router, whatever its status. */
export interface Success<Body> {
  /** @defaultValue 200 */
  readonly status?: 204
  readonly hasTag?: boolean
  /** A property of the JSON, for a list `length`; undefined for an empty body. */
  readonly property?: keyof Body & string
}

/** The change request after a write. */
export const changeRequest: Success<ChangeRequestView> = { hasTag: true, property: 'features' }
/** An empty response with the entity tag of the change request. */
export const written: Success<null> = { status: 204, hasTag: true }
/** An empty response about something that has no entity tag. */
export const done: Success<null> = { status: 204 }

/** Sends requests to one router. @throws ClientError also for a success that the route does not declare */
export interface Sender {
  /** The raw response, if it is a 200 of this media type. */
  fetch(path: string, mediaType: string, request?: ClientRequest): Promise<Response>
  /** Repeats reads, and writes with an idempotency key. */
  json<Body>(path: string, success: Success<Body>, request?: ClientRequest): Promise<Answer<Body>>
  /** Sends one request. */
  once<Body>(path: string, success: Success<Body>, request?: ClientRequest): Promise<Answer<Body>>
  /** The same, with all headers. */
  answer<Body>(
    path: string,
    success: Success<Body>,
    request?: ClientRequest,
  ): Promise<Answer<Body> & { readonly headers: Headers }>
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

  const fetchResponse = async (address: string, request: ClientRequest = {}) => {
    const init: RequestInit = {
      method: request.method ?? 'GET',
      headers: toHeaders(options, request),
      credentials: options.credentials ?? 'same-origin',
      // Only sign-in proxies redirect. Following would send a write to another address, or lose it.
      redirect: 'manual',
      ...(request.signal && { signal: request.signal }),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }
    const url = base + address + toQuery(request.query)
    const response = await send(url, init).catch((cause) => throwLost(cause, request))
    if (asksToSignIn(response)) throw signInRequired(response)
    if (!response.ok) throw await toClientError(response)
    return response
  }

  const answer: Sender['answer'] = async (address, success, request) => {
    const response = await fetchResponse(address, request)
    const { headers } = response
    const etag = headers.get('etag')
    const text = await response.text().catch((cause) => throwLost(cause, request))
    const body = parse(text)
    const { status = 200, hasTag, property } = success
    const hasBody = property === undefined ? text === '' : typeof body === 'object' && body !== null && property in body
    if (response.status !== status || (hasTag && etag === null) || !hasBody)
      throw new ClientError(notFromRouter(response, request?.method))
    return { body: body as never, etag, headers }
  }

  const once: Sender['once'] = async (address, success, request) => {
    const { body, etag } = await answer(address, success, request)
    return { body, etag }
  }

  return {
    async fetch(address, mediaType, request) {
      const response = await fetchResponse(address, { ...request, headers: { Accept: mediaType, ...request?.headers } })
      if (response.status === 200 && response.headers.get('content-type')?.startsWith(mediaType)) return response
      await response.body?.cancel()
      throw new ClientError(notFromRouter(response))
    },
    answer,
    once,
    retry: repeat,
    json(address, success, request = {}) {
      const isSafe = request.method === undefined || request.idempotencyKey !== undefined
      const send = () => once(address, success, request)
      return isSafe ? repeat(send, request.signal) : send()
    },
  }
}

function throwLost(cause: unknown, request: ClientRequest | undefined): never {
  if (request?.signal?.aborted) throw cause
  throw new ClientError({ status: 0, name: 'NetworkError', message: 'The server cannot be reached.', cause })
}

/** Null for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toHeaders({ key, headers }: ClientOptions, request: ClientRequest): Record<string, string> {
  const { ifMatch, ifNoneMatch, idempotencyKey } = request
  return {
    Accept: 'application/json',
    ...(key !== undefined && { Authorization: key }),
    ...(typeof headers === 'function' ? headers() : headers),
    ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    // A proxy that compresses makes the tag weak, which would match nothing.
    ...(ifMatch !== undefined && {
      'If-Match': ifMatch === '*' ? ifMatch : `"${ifMatch.replace(/^(?:W\/)?"|"$/g, '')}"`,
    }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...request.headers,
  }
}

function toQuery(query: ClientRequest['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
