import { setImmediate } from 'node:timers/promises'
import { type Names, safeInteger } from '../shared/database'
import type { Borrow } from './events'
import { Tally } from './tally'
import type { Statement } from './writes'

/** The events counted before yielding to the event loop: some milliseconds. */
const sliceSize = 1_000

/** As on Postgres. A long read would block the whole process, so it counts in slices, and the last with the write lock. */
export async function recountSqlite(
  names: Names,
  borrow: Borrow,
  transact: (work: (prepare: (text: string) => Statement) => void) => Promise<void>,
): Promise<void> {
  const { table } = names
  const next = `select id, project, feature_name as featureName, created_by_user_id as createdByUserId
    from ${table('events')} where id > ? order by id limit ?`
  const tally = new Tally()
  let counted = 0
  /** Returns false after the last ones. */
  const countNext = (prepare: (text: string) => Statement, limit: number): boolean => {
    const events = prepare(next).all(counted, limit)
    for (const event of events) tally.add(event, safeInteger(event.id))
    counted = events.at(-1)?.id ?? counted
    return events.length === limit
  }

  do await setImmediate()
  while (await borrow((prepare) => countNext(prepare, sliceSize)))
  await transact((prepare) => {
    while (countNext(prepare, sliceSize)) {}
    prepare(`delete from ${table('event_tallies')}`).run()
    prepare(`delete from ${table('event_counts')} where project <> ''`).run()
    // The newest id of the instance stays: ids continue from there even after all events were removed.
    prepare(`update ${table('event_counts')} set total = 0`).run()
    tally.write(prepare, names)
  })
}
