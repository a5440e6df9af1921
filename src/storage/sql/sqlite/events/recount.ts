import { setImmediate } from 'node:timers/promises'
import type { Names } from '../../database/database'
import { addGroups, EventCounts, recounted, recountTexts } from '../../events/stored-counts'
import { distinct } from '../../queries/change-request-filter'
import { recountedStatesTexts } from '../../queries/state-counts'
import type { Statement } from '../prepared'
import type { Borrow } from './reads'
import { sqliteEvents, sqliteReviewers } from './statements'

/** The number of events or counts that are read or written at a time, so that the event loop can do other work in between. */
const sliceSize = 1_000

/** Counts all events again. Each transaction first counts those that were appended meanwhile. */
export async function recountSqlite(names: Names, borrow: Borrow, transact: Borrow): Promise<void> {
  const texts = recountTexts(names, sqliteEvents)
  const tallies = names.table('event_tallies')
  const counts = new EventCounts()
  let countedTo = -1
  const countNext = (prepare: (text: string) => Statement, limit: number) => {
    const groups = prepare(texts.groups).all(countedTo, limit)
    countedTo = addGroups(counts, groups, countedTo)
    return groups.length > 0
  }
  const slice = async <Value>(work: (prepare: (text: string) => Statement) => Value) => {
    await setImmediate()
    return transact((prepare) => {
      countNext(prepare, -1)
      return work(prepare)
    })
  }

  while (await borrow((prepare) => countNext(prepare, sliceSize))) await setImmediate()
  await slice((prepare) => {
    prepare(texts.clearCounts).run()
    prepare(texts.addCounts).run(recounted(counts).counts)
  })
  const expected = counts.tallies().length
  for (let start = 0; start < expected; start += sliceSize) {
    await slice((prepare) => {
      prepare(texts.addTallies).run(JSON.stringify(counts.tallies().slice(start, start + sliceSize)))
    })
  }
  const stored = `select project, term from ${tallies} where (project, term) > (?, ?) order by project, term limit ${sliceSize}`
  for (let last = ['', '']; last.length > 0; ) {
    last = await slice((prepare) => {
      const found = prepare(stored).all(...last)
      const remove = prepare(`delete from ${tallies} where project = ? and term = ?`)
      for (const { project, term } of found) if (!counts.has(project, term)) remove.run(project, term)
      const { project, term } = found.at(-1) ?? {}
      return found.length === 0 ? [] : [project, term]
    })
  }
  await recountStates(names, borrow, transact)
}

/** One project at a time. */
async function recountStates(names: Names, borrow: Borrow, transact: Borrow): Promise<void> {
  const [counts, changeRequests] = [names.table('change_request_counts'), names.table('change_requests')]
  const found = `${distinct(changeRequests, 'project')} select value from found where value is not null
    union select project from ${counts} where author = ''`
  const projects = await borrow((prepare) => prepare(found).all())
  const [remove = '', count = ''] = recountedStatesTexts(names, sqliteReviewers, 'project = @project')
  for (const { value: project } of projects) {
    await transact((prepare) => {
      prepare(remove).run({ project })
      prepare(count).run({ project })
    })
    await setImmediate()
  }
}
