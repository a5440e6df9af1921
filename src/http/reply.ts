/** An answer: a whole body, or a stream. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly type?: string
  readonly body?: string | Uint8Array
  /** Takes the place of `body`; each item is written at once. */
  readonly stream?: AsyncIterable<readonly Uint8Array[]>
  /** Called once when a stream was sent, or its connection is closed. */
  readonly onClose?: () => void
}

/** A 200 with JSON that no cache keeps. */
export function jsonReply(body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { ...uncachedJson(headers), body: JSON.stringify(body) }
}

/** The head of a 200 with JSON that no cache keeps. */
export function uncachedJson(headers: Readonly<Record<string, string>> = {}): Omit<Reply, 'body' | 'stream'> {
  return { status: 200, headers: { 'Cache-Control': 'no-store', ...headers }, type: 'application/json; charset=utf-8' }
}

/** A 200 or 204 without content. */
export function emptyReply(status: 200 | 204): Reply {
  return { status, headers: { 'Cache-Control': 'no-store' }, ...(status === 200 ? { body: '' } : {}) }
}
