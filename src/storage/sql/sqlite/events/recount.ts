import { setImmediate } from 'node:timers/promises'
import type { Names } from '../../database/database'
import { addGroups, EventCounts, recounted, recountTexts } from '../../events/stored-counts'
import { distinct } from '../../queries/change-request-filter'
import { recountedStatesTexts } from '../../queries/state-counts'
import type { Statement } from '../prepared'
import type { Borrow } from './reads'
import { sqliteEvents } from './statements'

export type Transact = <Value>(work: (prepare: (text: string) => Statement) => Value) => Promise<Value>

/** The number of events that are counted at a time, so that the event loop can do other work in between. */
const sliceSize = 5_000

/** Counts all events again. The transaction at the end counts only those that were appended meanwhile. */
export async function recountSqlite(names: Names, borrow: Borrow, transact: Transact): Promise<void> {
  const texts = recountTexts(names, sqliteEvents)
  const counts = new EventCounts()
  let countedTo = -1
  for (;;) {
    const groups = await borrow((prepare) => prepare(texts.groups).all(countedTo, sliceSize))
    if (groups.length === 0) break
    countedTo = addGroups(counts, groups, countedTo)
    await setImmediate()
  }
  await transact((prepare) => {
    addGroups(counts, prepare(texts.groups).all(countedTo, -1), countedTo)
    const stored = recounted(counts)
    for (const text of texts.clear) prepare(text).run()
    prepare(texts.addTallies).run(stored.tallies)
    prepare(texts.addCounts).run(stored.counts)
  })
  await recountStates(names, borrow, transact)
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
