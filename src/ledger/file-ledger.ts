import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { EventCheckpoint, EventLedger } from '../ports/event-ledger'

/**
 * A ledger in a file, a checkpoint a line, each on the disk before `append` answers. One process at a time may append.
 * Keep the file where whoever can alter the database cannot alter it.
 *
 * @example
 * ```ts
 * const ledger = fileLedger('/mnt/audit/events.ledger')
 * ```
 */
export function fileLedger(path: string): EventLedger {
  let newest: Promise<EventCheckpoint | undefined> | undefined

  async function* read(): AsyncGenerator<EventCheckpoint> {
    const file = await open(path, 'a+')
    try {
      // A line that a crash cut short was never answered for.
      const lines = createInterface({ input: file.createReadStream({ start: 0, encoding: 'utf8', autoClose: false }) })
      for await (const line of lines) if (line.endsWith('}')) yield JSON.parse(line) as EventCheckpoint
    } finally {
      await file.close()
    }
  }

  async function findLast(): Promise<EventCheckpoint | undefined> {
    let last: EventCheckpoint | undefined
    for await (const checkpoint of read()) last = checkpoint
    return last
  }

  async function write(checkpoint: EventCheckpoint): Promise<void> {
    const file = await open(path, 'a')
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
      // Whoever comes next waits for this one; after an error the file is read again.
      newest = step
      try {
        await step
      } catch (error) {
        newest = undefined
        throw error
      }
      return kept
    },
  }
}
