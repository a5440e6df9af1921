import { setImmediate } from 'node:timers/promises'
import { type Names, safeInteger } from '../shared/database'
import type { Borrow } from './events'
import { Tally } from './tally'
import type { Statement } from './writes'

/** So many events are counted before others get their turn: some milliseconds. */
const sliceSize = 1_000

/** The same on SQLite, where a long look would stop the whole process: part by part, the rest with the write lock. */
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
  /** False when these were the last ones. */
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
    // The newest id stays, as above.
    prepare(`update ${table('event_counts')} set total = 0`).run()
    tally.write(prepare, names)
  })
}
