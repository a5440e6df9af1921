import type { Names } from '../../database/database'
import { addGroups, EventCounts, recounted, recountTexts } from '../../events/stored-counts'
import { recountedStatesTexts } from '../../queries/state-counts'
import { appendLock } from '../commit'
import { columnTypes } from '../connection'
import { longTimeoutMs, type PostgresConnection } from '../handle'
import { numbered, postgresEvents, postgresReviewers } from './statements'

const sliceSize = 20_000

/**
 * Counts all events again. The events that exist at the start are counted without blocking writers; events that are appended
 * meanwhile are counted under the writers' lock. The limits of the host app do not apply.
 *
 * @param connection is in a transaction with the isolation level read committed, so that it sees what was committed while it
 * waited for the lock.
 */
export async function recountPostgres(names: Names, connection: PostgresConnection): Promise<void> {
  const texts = recountTexts(names, postgresEvents)
  const rows = async (text: string, values: readonly unknown[] = []) => {
    const config = { text: numbered(text), values: [...values], query_timeout: longTimeoutMs, types: columnTypes }
    return ((await connection.query(config)) as { rows: unknown[] }).rows
  }
  const limits = `'statement_timeout', 'lock_timeout', 'transaction_timeout'`
  await rows(`select set_config(name, '0', true) from pg_settings where name in (${limits})`)
  // One recount at a time: each replaces the counts.
  await rows(
    `select pg_advisory_xact_lock(hashtextextended('recount', '${names.table('events')}'::regclass::oid::bigint))`,
  )
  const counts = new EventCounts()
  let countedTo = -1
  const countRest = async () => {
    for (;;) {
      const groups = await rows(texts.groups, [countedTo, sliceSize])
      if (groups.length === 0) return
      countedTo = addGroups(counts, groups, countedTo)
    }
  }
  await countRest()
  await rows(`select ${appendLock(names)}`)
  await countRest()
  const stored = recounted(counts)
  await rows(texts.clearTallies)
  await rows(texts.addTallies, [stored.tallies])
  await rows(texts.clearCounts)
  await rows(texts.addCounts, [stored.counts])
  for (const text of recountedStatesTexts(names, postgresReviewers)) await rows(text)
}
