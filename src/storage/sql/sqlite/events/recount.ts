import { setImmediate } from 'node:timers/promises'
import type { Names } from '../../database/database'
import { summarizeBlock, TallySum } from '../../event-index/block-summary'
import { maxTallies, newFingerprint, nextBlock } from '../../event-index/sealer'
import { distinct } from '../../queries/change-request-filter'
import { recountedTexts } from '../../queries/recounted'
import { recountedStatesTexts } from '../../queries/state-counts'
import type { Borrow } from './reads'
import { sqliteSealing, type Transact } from './sealing'

/** The number of rows that are deleted at a time, so that the event loop can do other work in between. */
const sliceSize = 5_000

/**
 * Builds a new index next to the current one. Each block has its own transaction, because a long transaction would block the
 * whole process and all writers. The last step counts the events that were appended meanwhile and switches to the new index.
 */
export async function recountSqlite(
  names: Names,
  borrow: Borrow,
  transact: Transact,
  blockSize: number,
): Promise<void> {
  const { table } = names
  const { logState, indexedEvents, add } = sqliteSealing(names)
  const generation = await transact((prepare) => {
    const { newest } = prepare(`select max(generation) as newest from ${table('event_blocks')}`).get()
    // Reserves the generation: the next recount gets a higher one.
    add(prepare, newest + 1, { block: -1, fingerprint: newFingerprint(), postings: [], tallies: [] })
    return Number(newest + 1)
  })
  const sum = new TallySum()
  let sealedTo = -1
  for (;;) {
    const next = nextBlock({ ...(await borrow(logState)), sealedTo }, blockSize)
    if (next === undefined) break
    const { block, first, last } = next
    const events = await borrow((prepare) => indexedEvents(prepare, first, last))
    const { postings, tallies } = summarizeBlock(block, blockSize, events)
    sum.add(tallies)
    const fingerprint = newFingerprint()
    const tallied = sum.take(maxTallies)
    await transact((prepare) => add(prepare, generation, { block, fingerprint, postings, tallies: tallied }))
    sealedTo = last
    await setImmediate()
  }
  await transact((prepare) => {
    // A recount that began later has finished first and has deleted this index.
    if (logState(prepare).generation > generation) return
    add(prepare, generation, { block: 0, postings: [], tallies: sum.take() })
    for (const text of recountedTexts(names, generation, sealedTo)) prepare(text).run()
  })
  await recountStates(names, borrow, transact)
  await removeBefore(generation, table('event_postings'), 'term, block', transact)
  await removeBefore(generation, table('event_tallies'), 'term, scope', transact)
  await removeBefore(generation, table('event_blocks'), 'block', transact)
}

const approvals = `json_each(c.summary, '$.reviewedBy') as a`

/** One project at a time. */
async function recountStates(names: Names, borrow: Borrow, transact: Transact): Promise<void> {
  const [counts, changeRequests] = [names.table('change_request_counts'), names.table('change_requests')]
  const found = `${distinct(changeRequests, 'project')} select value from found where value is not null
    union select project from ${counts} where author = ''`
  const projects = await borrow((prepare) => prepare(found).all())
  const [remove = '', count = ''] = recountedStatesTexts(names, approvals, 'project = @project')
  for (const { value: project } of projects) {
    await transact((prepare) => {
      prepare(remove).run({ project })
      prepare(count).run({ project })
    })
    await setImmediate()
  }
}

async function removeBefore(generation: number, table: string, key: string, transact: Transact): Promise<void> {
  const text = `delete from ${table} where (generation, ${key}) in (
    select generation, ${key} from ${table} where generation < ? limit ${sliceSize})`
  while ((await transact((prepare) => prepare(text).run(generation).changes)) === sliceSize) await setImmediate()
}
