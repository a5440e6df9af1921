import type { Knex } from 'knex'
import { summarizeBlock, TallySum } from '../../postings/block-summary'
import { maxTallies, newFingerprint, nextBlock } from '../../postings/sealer'
import type { Names } from '../../shared/database'
import { recountedTexts } from '../../shared/recounted'
import { recountedStatesTexts } from '../../shared/state-counts'
import { appendLock } from '../commit'
import { columnTypes, type PostgresConnection } from '../connection'
import { postgresSealing, type Rows } from './sealing'

/**
 * Rebuilds the index. The events that exist at the start are indexed without blocking writers; events that are appended
 * meanwhile are indexed under the writers' lock. There is no time limit, regardless of the limits of the host app.
 *
 * @param transaction uses the isolation level read committed, so that it sees what was committed while it waited for the lock.
 */
export async function recountPostgres(
  names: Names,
  transaction: <Value>(work: (transaction: Knex.Transaction) => Promise<Value>) => Promise<Value>,
  borrow: <Value>(use: (connection: PostgresConnection) => Promise<Value>, on: Knex) => Promise<Value>,
  blockSize: number,
): Promise<void> {
  const run =
    (connection: PostgresConnection): Rows =>
    async (text, values = []) => {
      const config = { text, values, query_timeout: 2 ** 31 - 1, types: columnTypes }
      return ((await connection.query(config)) as { rows: Awaited<ReturnType<Rows>> }).rows
    }
  await transaction((own) => borrow((connection) => recount(names, run(connection), blockSize), own))
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
