import type { DueCursor, DuePage, DueTimes } from '../../ports/storage'
import type { Row } from './rows'

/** One page of the rows that have a time, the earliest first. */
export function dueRows(rows: Iterable<Row>, { before, after, limit }: DuePage): Row[] {
  const found = timed(rows).filter(
    (row) => (before === undefined || row.dueAt <= before) && (after === undefined || earliestFirst(row, after) > 0),
  )
  return found.slice(0, limit)
}

export function dueTimes(rows: Iterable<Row>, at: string): DueTimes {
  const all = timed(rows)
  const due = all.filter(({ dueAt }) => dueAt <= at)
  return { due: due.length, first: due[0]?.dueAt ?? null, next: all[due.length]?.dueAt ?? null }
}

function timed(rows: Iterable<Row>): (Row & DueCursor)[] {
  return [...rows].filter((row): row is Row & DueCursor => row.dueAt !== null).sort(earliestFirst)
}

function earliestFirst(one: DueCursor, other: DueCursor): number {
  if (one.dueAt === other.dueAt) return one.id - other.id
  return one.dueAt < other.dueAt ? -1 : 1
}
