export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly type?: string
  readonly body?: string | Uint8Array
  /** Replaces `body`; the pieces of an item are written without a pause. */
  readonly stream?: AsyncIterable<readonly Uint8Array[]>
  /**
   * Whether the stream follows the log. It lets other requests run before each small piece, because followers are woken in
   * slices. The end of the connection ends it, so its pieces are written without a frame for each: its client reconnects after
   * any end.
   */
  readonly isFollower?: boolean
  /** Called once when the stream has ended or its connection is closed. */
  readonly onClose?: () => void
}

export function jsonReply(body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { ...uncachedJson(headers), body: JSON.stringify(body) }
}

/** Status and headers of a 200 with JSON that is not cached. */
export function uncachedJson(headers: Readonly<Record<string, string>> = {}): Omit<Reply, 'body' | 'stream'> {
  return { status: 200, headers: { 'Cache-Control': 'no-store', ...headers }, type: 'application/json; charset=utf-8' }
}

export function emptyReply(status: 200 | 204, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'Cache-Control': 'no-store', ...headers }, ...(status === 200 ? { body: '' } : {}) }
}
