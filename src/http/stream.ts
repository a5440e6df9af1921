import { setImmediate } from 'node:timers/promises'
import type { Response } from 'express'

/** A small request takes about 4 iterations of the event loop. With one iteration per page, it would wait for 4 pages. */
const yieldsBetweenPages = 4
/** A smaller piece is written faster than a small request is handled. */
const minPageBytes = 16_384

/**
 * Writes pieces to the socket as fast as the client reads them, with one in memory at a time. Returns when the client
 * disconnects, and closes the connection if the client reads nothing for `deadlineMs`.
 *
 * @param isPaced whether the source of the pieces lets other requests run before a small piece
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<readonly Uint8Array[]>,
  deadlineMs: number,
  isPaced = false,
): Promise<void> {
  const untilDrained = createUntilDrained(res, deadlineMs)
  for await (const piece of pieces) {
    let full = false
    let length = 0
    for (const bytes of piece) {
      full = isFullAfter(res, bytes) || full
      length += bytes.length
    }
    flush(res)
    if (full) await untilDrained()
    // Lets small requests run between two pages.
    const yields = length >= minPageBytes ? yieldsBetweenPages : isPaced ? 0 : 1
    for (let count = yields; count > 0; count -= 1) await setImmediate()
    if (res.destroyed) return
  }
  res.end()
}

/**
 * With compression, `write` reports the state of the compressor, but `writableNeedDrain` that of the socket, whose `drain`
 * event does not arrive here. A `write` that the host app has wrapped may return undefined.
 */
function isFullAfter(res: Response, bytes: Uint8Array): boolean {
  const hasRoom: boolean | undefined = res.write(bytes)
  return !(hasRoom ?? !res.writableNeedDrain)
}

/** Compression buffers its data until it is flushed. */
function flush(res: Response): void {
  const { flush } = res as { flush?: unknown }
  if (typeof flush === 'function') flush.call(res)
}

/** Also resolves when the connection is closed: `drain` never fires then. */
function createUntilDrained(res: Response, deadlineMs: number): () => Promise<void> {
  let settle = () => {}
  // Added once, before the first byte: compression moves the listeners to its own stream, where they cannot be removed.
  res.on('drain', () => settle())
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
