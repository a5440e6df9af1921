import { OutgoingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { Reply } from './reply'

export async function send(reply: Reply, req: Request, res: Response, streamTimeoutMs: number): Promise<void> {
  if (reply.stream === undefined || req.method === 'HEAD') return sendWhole(reply, req, res)
  if (reply.onClose !== undefined) res.once('close', reply.onClose)
  writeHead(reply, res)
  if (reply.isFollower) {
    // Without chunks, a piece is one write to the socket instead of four.
    res.setHeader('Connection', 'close')
    res.removeHeader('Transfer-Encoding')
  }
  return sendStream(res, reply.stream, streamTimeoutMs, reply.isFollower)
}

const maxSharedText = 16_384

export function sendWhole(reply: Reply, req: Request, res: Response): void {
  writeHead(reply, res)
  const { body } = reply
  // Encodes a long text once; Node would do so for its length and again to write it. A short one shares the write of the headers.
  const encoded = typeof body === 'string' && body.length > maxSharedText ? Buffer.from(body) : body
  if (encoded !== undefined) res.setHeader('Content-Length', Buffer.byteLength(encoded))
  res.end(req.method === 'HEAD' ? undefined : encoded)
}

function writeHead(reply: Reply, res: Response): void {
  res.statusCode = reply.status
  res.setHeader('X-Content-Type-Options', 'nosniff')
  for (const [name, value] of Object.entries(reply.headers)) {
    if (name === 'Vary') res.vary(value)
    else res.setHeader(name, value)
  }
  if (reply.type !== undefined) res.setHeader('Content-Type', reply.type)
}

/** A small request takes about 4 iterations of the event loop. With one iteration per page, it would wait for 4 pages. */
const yieldsBetweenPages = 4
/** A smaller piece is written faster than a small request is handled. */
const minPageBytes = 16_384

/**
 * Writes pieces to the socket as fast as the client reads them, with one in memory at a time. Returns when the client
 * disconnects, and closes the connection if the client reads nothing for `deadlineMs`.
 *
 * @param isFollower whether the response has no chunks, and the source of the pieces lets other requests run before a small piece
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<readonly Uint8Array[]>,
  deadlineMs: number,
  isFollower = false,
): Promise<void> {
  const sink = isFollower ? socketOf(res) : res
  const untilDrained = createUntilDrained(res, sink, deadlineMs)
  for await (const piece of pieces) {
    let full = false
    let length = 0
    for (const bytes of piece) {
      full = isFullAfter(sink, bytes) || full
      length += bytes.length
    }
    if (sink === res) flush(res)
    if (full) await untilDrained()
    // Lets small requests run between two pages.
    const yields = length >= minPageBytes ? yieldsBetweenPages : isFollower ? 0 : 1
    for (let count = yields; count > 0; count -= 1) await setImmediate()
    if (res.destroyed) return
  }
  res.end()
}

type Sink = Response | NonNullable<Response['socket']>

/**
 * The socket of a response without chunks, because a write to the response of Express takes half as long again. The response
 * itself if the host app has wrapped it, as compression does, or if it waits for another one of the same connection.
 */
function socketOf(res: Response): Sink {
  if (res.socket === null || res.write !== OutgoingMessage.prototype.write) return res
  res.flushHeaders()
  return res.socket
}

/**
 * With compression, `write` reports the state of the compressor, but `writableNeedDrain` that of the socket, whose `drain`
 * event does not arrive here. A `write` that the host app has wrapped may return undefined.
 */
function isFullAfter(sink: Sink, bytes: Uint8Array): boolean {
  const hasRoom: boolean | undefined = sink.write(bytes)
  return !(hasRoom ?? !sink.writableNeedDrain)
}

/** Compression buffers its data until it is flushed. */
function flush(res: Response): void {
  const { flush } = res as { flush?: unknown }
  if (typeof flush === 'function') flush.call(res)
}

/** Also resolves when the connection is closed: `drain` never fires then. */
function createUntilDrained(res: Response, sink: Sink, deadlineMs: number): () => Promise<void> {
  let settle = () => {}
  // Added once, before the first byte: compression moves the listeners to its own stream, where they cannot be removed.
  sink.on('drain', () => settle())
  res.on('close', () => settle())
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => res.destroy(), deadlineMs)
      settle = () => {
        clearTimeout(timer)
        resolve()
      }
      if (res.destroyed) settle()
    })
}
