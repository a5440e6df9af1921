import { setImmediate } from 'node:timers/promises'
import type { Response } from 'express'

/** A small request takes several turns of the event loop. With one between two pages it waits for as many pages. */
const turnsBetweenPages = 4

/**
 * Copies pieces to the socket as fast as the client takes them, one at a time in memory. Ends without a word when the
 * client leaves, and breaks the connection of one that takes nothing for `deadlineMs`.
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<readonly Uint8Array[]>,
  deadlineMs: number,
): Promise<void> {
  const drained = createDrained(res, deadlineMs)
  for await (const piece of pieces) {
    let full = false
    for (const bytes of piece) full = isFullAfter(res, bytes) || full
    flush(res)
    if (full) await drained()
    // Small requests get their turns between two pages.
    for (let turn = 0; turn < turnsBetweenPages; turn += 1) await setImmediate()
    if (res.destroyed) return
  }
  res.end()
}

/**
 * Behind compression `write` reports the compressor, and `writableNeedDrain` the socket behind it, whose `drain`
 * is not heard here. A `write` that a host has wrapped may answer nothing.
 */
function isFullAfter(res: Response, bytes: Uint8Array): boolean {
  const hasRoom: boolean | undefined = res.write(bytes)
  return !(hasRoom ?? !res.writableNeedDrain)
}

/** Compression keeps its data until it is flushed. */
function flush(res: Response): void {
  const { flush } = res as { flush?: unknown }
  if (typeof flush === 'function') flush.call(res)
}

/** Also settles when the connection is gone: `drain` never fires then. */
function createDrained(res: Response, deadlineMs: number): () => Promise<void> {
  let settle = () => {}
  // Once, before the first byte: compression moves such listeners to its own stream, from where none can be taken off.
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
