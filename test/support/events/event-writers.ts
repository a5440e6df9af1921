import { setTimeout } from 'node:timers/promises'
import { sampleEvent } from '../../../src/testing/samples'
import type { OpenDatabase } from '../databases'

export interface WriterTask {
  readonly writers: number
  /** The events of each writer. */
  readonly events: number
  readonly label: string
}

const maxBatch = 80
const longestDelayMs = 6

/**
 * Each writer appends its events in batches of random size, in a transaction that waits a random time between the
 * statement and its commit. Some batches have no such transaction.
 */
export async function writeEvents(database: OpenDatabase, task: WriterTask, random: () => number): Promise<void> {
  await Promise.all(
    Array.from({ length: task.writers }, (_, writer) => write(database, task, `${task.label}${writer}`, random)),
  )
}

async function write(database: OpenDatabase, { events }: WriterTask, label: string, random: () => number) {
  for (let written = 0; written < events; ) {
    const count = Math.min(events - written, 1 + Math.floor(random() * maxBatch))
    const rows = Array.from({ length: count }, (_, index) =>
      sampleEvent(`${label} ${written + index}`, random() < 0.2 ? 'blog' : 'shop'),
    )
    const delayMs = random() * longestDelayMs
    if (random() < 0.2) await database.storage.appendEvents(rows)
    else await appendSlowly(database, rows, delayMs)
    written += count
  }
}

async function appendSlowly(
  { knex, storage, place }: OpenDatabase,
  rows: ReturnType<typeof sampleEvent>[],
  delayMs: number,
) {
  // SQLite: this statement waits for the write lock without blocking the process.
  if (place.knex.client === 'better-sqlite3') {
    await storage.transaction(async (_transaction, inside) => {
      await inside.appendEvents(rows)
      await setTimeout(delayMs)
    })
  } else {
    await knex.transaction(async (transaction) => {
      await storage.within(transaction).appendEvents(rows)
      await setTimeout(delayMs)
    })
  }
}
