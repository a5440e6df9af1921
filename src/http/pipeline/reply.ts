/** What a handler answers: a whole body, or pieces that are sent as they come. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly type?: string
  readonly body?: string | Uint8Array
  /** Takes the place of `body`; each item is written at once. */
  readonly stream?: AsyncIterable<readonly Uint8Array[]>
  /** Called once when the connection of a stream is gone, or all of it is sent. */
  readonly onClose?: () => void
}

/** A 200 with JSON that no cache keeps. */
export function jsonReply(body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { ...uncachedJson(headers), body: JSON.stringify(body) }
}

/** A 200 with JSON that no cache keeps, still without the JSON. */
export function uncachedJson(headers: Readonly<Record<string, string>> = {}): Omit<Reply, 'body' | 'stream'> {
  return { status: 200, headers: { 'Cache-Control': 'no-store', ...headers }, type: 'application/json; charset=utf-8' }
}
