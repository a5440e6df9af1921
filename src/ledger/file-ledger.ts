// Not node:fs/promises: to load it takes a millisecond, also in hosts without a ledger.
import { promises } from 'node:fs'
import type { EventCheckpoint, EventLedger } from '../ports/event-ledger'

/**
 * Creates a ledger in a file, with one checkpoint per line. `append` resolves when the checkpoint is on the disk. Only one
 * process at a time may append. Keep the file where users who can change the database cannot change it.
 *
 * @example
 * ```ts
 * const ledger = fileLedger('/mnt/audit/events.ledger')
 * ```
 */
export function fileLedger(path: string): EventLedger {
  let newest: Promise<EventCheckpoint | undefined> | undefined

  async function* read(): AsyncGenerator<EventCheckpoint> {
    const file = await openToRead()
    if (file === undefined) return
    try {
      // A crash may have truncated the last line. Then `append` did not resolve.
      const lines = file.readLines({ start: 0, encoding: 'utf8', autoClose: false })
      for await (const line of lines) if (line.endsWith('}')) yield JSON.parse(line) as EventCheckpoint
    } finally {
      await file.close()
    }
  }

  /** Not for writing: a user who verifies the log needs no permission to write. */
  async function openToRead() {
    try {
      return await promises.open(path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async function findLast(): Promise<EventCheckpoint | undefined> {
    let last: EventCheckpoint | undefined
    for await (const checkpoint of read()) last = checkpoint
    return last
  }

  async function write(checkpoint: EventCheckpoint): Promise<void> {
    const file = await promises.open(path, 'a')
    try {
      const { size } = await file.stat()
      await file.appendFile(`${size > 0 ? '\n' : ''}${JSON.stringify(checkpoint)}`)
      await file.datasync()
    } finally {
      await file.close()
    }
  }

  function last(): Promise<EventCheckpoint | undefined> {
    newest ??= findLast()
    return newest
  }

  return {
    last,
    read,
    async append(checkpoint) {
      let kept = false
      const step = last().then(async (before) => {
        if (before !== undefined && before.hash !== checkpoint.previous) return before
        await write(checkpoint)
        kept = true
        return checkpoint
      })
      // The next call waits for this one. After an error it reads the file again.
      newest = step
      await step.catch((error) => {
        newest = undefined
        throw error
      })
      return kept
    },
  }
}
