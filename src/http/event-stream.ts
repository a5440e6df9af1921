import { setImmediate } from 'node:timers/promises'
import type { Response } from 'express'

/**
 * Copies pieces to the socket as fast as the client takes them, one at a time in memory. Ends without a word when the
 * client leaves, and breaks the connection of one that takes nothing for `deadlineMs`.
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<readonly Uint8Array[]>,
  deadlineMs: number,
): Promise<void> {
  for await (const piece of pieces) {
    for (const bytes of piece) res.write(bytes)
    if (res.writableNeedDrain) await drained(res, deadlineMs)
    // Small requests get their turn between two pages.
    await setImmediate()
    if (res.destroyed) return
  }
  res.end()
}

/** Also settles when the connection is gone: `drain` never fires then. */
function drained(res: Response, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), deadlineMs)
    const done = () => {
      clearTimeout(timer)
      res.off('drain', done).off('close', done)
      resolve()
    }
    if (res.destroyed) done()
    else res.once('drain', done).once('close', done)
  })
}
