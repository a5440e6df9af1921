import type { Names } from '../../database/database'
import { summarizeBlock, TallySum } from '../../event-index/block-summary'
import { maxTallies, newFingerprint, nextBlock } from '../../event-index/sealer'
import { recountedTexts } from '../../queries/recounted'
import { recountedStatesTexts } from '../../queries/state-counts'
import { appendLock } from '../commit'
import { columnTypes } from '../connection'
import { longTimeoutMs, type PostgresConnection } from '../handle'
import { postgresSealing, type Rows } from './sealing'

/**
 * Rebuilds the index. The events that exist at the start are indexed without blocking writers; events that are appended
 * meanwhile are indexed under the writers' lock. The limits of the host app do not apply.
 *
 * @param connection is in a transaction with the isolation level read committed, so that it sees what was committed while it
 * waited for the lock.
 */
export async function recountPostgres(names: Names, connection: PostgresConnection, blockSize: number): Promise<void> {
  const rows: Rows = async (text, values = []) => {
    const config = { text, values, query_timeout: longTimeoutMs, types: columnTypes }
    return ((await connection.query(config)) as { rows: Awaited<ReturnType<Rows>> }).rows
  }
  await recount(names, rows, blockSize)
}

const approvals = `json_array_elements_text((c.summary::json) -> 'reviewedBy') as a(value)`

async function recount(names: Names, rows: Rows, blockSize: number): Promise<void> {
  const { table } = names
  const { logState, indexedEvents, addTo } = postgresSealing(names, rows)
  const limits = `'statement_timeout', 'lock_timeout', 'transaction_timeout'`
  await rows(`select set_config(name, '0', true) from pg_settings where name in (${limits})`)
  // One recount at a time: a concurrent one would build the same index.
  await rows(`select pg_advisory_xact_lock(hashtextextended('recount', '${table('events')}'::regclass::oid::bigint))`)
  const generation = (await logState()).generation + 1
  const sum = new TallySum()
  let sealedTo = -1
  await addTo(generation, { block: -1, fingerprint: newFingerprint(), postings: [], tallies: [] })
  const addComplete = async () => {
    for (;;) {
      const next = nextBlock({ ...(await logState()), sealedTo }, blockSize)
      if (next === undefined) return
      const { block, first, last } = next
      const { postings, tallies } = summarizeBlock(block, blockSize, await indexedEvents(first, last))
      sum.add(tallies)
      await addTo(generation, { block, fingerprint: newFingerprint(), postings, tallies: sum.take(maxTallies) })
      sealedTo = last
    }
  }
  await addComplete()
  await rows(`select ${appendLock(names)}`)
  await addComplete()
  await addTo(generation, { block: 0, postings: [], tallies: sum.take() })
  for (const text of [...recountedTexts(names, generation, sealedTo), ...recountedStatesTexts(names, approvals)])
    await rows(text)
  for (const name of ['event_postings', 'event_tallies', 'event_blocks']) {
    await rows(`delete from ${table(name)} where generation < ${generation}`)
  }
}
