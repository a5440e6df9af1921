import { setImmediate } from 'node:timers/promises'
import type {
  EventCount,
  EventCreator,
  EventCursor,
  EventFilter,
  EventHead,
  EventPage,
  EventScope,
} from '../../../ports/storage'
import { type Names, safeInteger } from '../shared/database'
import { columnsToCount, countEvents, selectEvents, timeSlack, toCount } from '../shared/event-filter'
import { fitsNothing, isNarrow, pageStatement, sqliteFilter } from './event-statements'
import type { Statement } from './writes'

/** The ids examined before yielding to the event loop. */
export const sliceSize = 10_000

/** The same where the text of each event has to be searched. */
const textSliceSize = 2_000

/** Runs one read on a connection. */
export type Borrow = <Value>(use: (prepare: (text: string) => Statement) => Value) => Promise<Value>

interface Part {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  /** The first and the last id to examine. */
  readonly from: number
  readonly to: number
}

export function sqliteEvents(names: Names, borrow: Borrow) {
  const { table } = names

  const selected = (columns: string, { filter, cursor, limit, from, to }: Part) =>
    selectEvents(
      names,
      columns,
      { filter, cursor, limit, also: { text: 'id between ? and ?', values: [from, to] } },
      sqliteFilter,
    )

  /** Reads the log in slices, starting next to the cursor, until `limit` events have been examined. */
  async function inParts(
    { filter, cursor, limit }: Pick<Part, 'filter' | 'cursor' | 'limit'>,
    look: (prepare: (text: string) => Statement, part: Part) => EventCount,
  ): Promise<EventCount> {
    const forward = 'after' in cursor
    let sum: EventCount = { count: 0, searched: 0, lastId: 0 }
    if (fitsNothing(filter)) return sum
    let { from, to } = await borrow((prepare) => bounds(prepare, filter, cursor))
    const width = isNarrow(filter) && limit <= sliceSize ? to - from + 1 : filter.text ? textSliceSize : sliceSize
    while (from <= to && sum.searched < limit) {
      const part = forward ? { from, to: Math.min(to, from + width - 1) } : { from: Math.max(from, to - width + 1), to }
      const { count, searched, lastId } = await borrow((prepare) =>
        look(prepare, { filter, cursor, limit: limit - sum.searched, ...part }),
      )
      sum = { count: sum.count + count, searched: sum.searched + searched, lastId: searched > 0 ? lastId : sum.lastId }
      if (forward) from = part.to + 1
      else to = part.from - 1
      if (from <= to) await setImmediate()
    }
    return sum
  }

  /** The range of ids that the cursor and the times allow. */
  function bounds(prepare: (text: string) => Statement, { from, to, createdBy }: EventFilter, cursor: EventCursor) {
    const events = table('events')
    const bound = (none: number, text: string, ...values: unknown[]): number =>
      safeInteger(prepare(text).get(...values).id ?? none)
    const near = (extreme: string, condition: string, direction: string) =>
      `select ${extreme}(id) as id from
         (select id from ${events} where created_at ${condition} ? order by created_at ${direction} limit ${timeSlack})`
    const [least, most] = [`select min(id) as id from ${events}`, `select max(id) as id from ${events}`]
    // No event of these times: a part without ids.
    const nowhere = Number.MAX_SAFE_INTEGER
    const first = from === undefined ? bound(0, least) : bound(nowhere, near('min', '>=', 'asc'), from)
    const lastInTime = to === undefined ? bound(0, most) : bound(0, near('max', '<', 'desc'), to)
    // There is no index of creators: with fifty concurrent writers it would cost a tenth of the throughput.
    const newest = `select max(last_id) as id from ${table('event_tallies')}
      where kind = 'creator' and ${sqliteFilter.among('name', 'text')}`
    const last =
      createdBy === undefined
        ? lastInTime
        : Math.min(lastInTime, bound(0, newest, JSON.stringify(createdBy.map((id) => String(id)))))
    return 'after' in cursor
      ? { from: Math.max(first, cursor.after + 1), to: last }
      : { from: first, to: Math.min(last, cursor.before - 1) }
  }

  return {
    async eventPage(filter: EventFilter, cursor: EventCursor, limit: number, grouped = false): Promise<EventPage> {
      const pieces: Buffer[] = []
      const count = await inParts({ filter, cursor, limit }, (prepare, part) => {
        const { text, values } = pageStatement(selected('*', part), filter, cursor, grouped)
        const row = prepare(text).get(...bindable(values))
        if (row.json !== null) pieces.push(row.json)
        return toCount(row)
      })
      return { ...count, json: joined(pieces) }
    },
    countEvents: (filter: EventFilter, cursor: EventCursor, limit: number): Promise<EventCount> =>
      inParts({ filter, cursor, limit }, (prepare, part) => {
        const { text, values } = countEvents(selected(columnsToCount(filter), part), filter, cursor, sqliteFilter)
        return toCount(prepare(text).get(...bindable(values)))
      }),
    scopeHead: ({ projects, features }: EventScope): Promise<EventHead> =>
      borrow((prepare) => {
        const inProjects = projects === undefined ? '' : `and ${sqliteFilter.among('project', 'text')}`
        const text =
          features === undefined
            ? `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')} where project <> '' ${inProjects}`
            : `select sum(total) as total, max(last_id) as last_id from ${table('event_tallies')}
               where kind = 'feature' and ${sqliteFilter.among('name', 'text')} ${inProjects}`
        const row = prepare(text).get(...bindable([features, projects].filter((list) => list !== undefined)))
        return { lastId: safeInteger(row.last_id ?? 0), total: safeInteger(row.total ?? 0) }
      }),
    eventCreators: (projects?: readonly string[]): Promise<EventCreator[]> =>
      borrow((prepare) => {
        const inProjects =
          projects === undefined ? '' : `and project <> '' and ${sqliteFilter.among('project', 'text')}`
        const text = `select cast(name as integer) as id,
            (select body ->> '$.createdBy' from ${table('events')} where id = newest) as created_by
          from (select name, max(last_id) as newest from ${table('event_tallies')}
            where kind = 'creator' ${inProjects} group by name)
          order by 1`
        const rows = prepare(text).all(...bindable(projects === undefined ? [] : [projects]))
        return rows.map(({ id, created_by }) => ({ id: safeInteger(id), createdBy: created_by }))
      }),
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0] as Buffer
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])))
}

const separator = Buffer.from(',\n')

function bindable(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
}
