import type {
  DueCursor,
  DuePage,
  DueTimes,
  InterruptedApply,
  InterruptedPage,
} from '../../ports/storage/change-requests'
import type { Row } from './rows'

export function dueRows(rows: Iterable<Row>, { before, after, limit }: DuePage): (Row & DueCursor)[] {
  const found = withDueTime(rows).filter(
    (row) => (before === undefined || row.dueAt <= before) && (after === undefined || earliestFirst(row, after) > 0),
  )
  return found.slice(0, limit)
}

export function dueTimes(rows: Iterable<Row>, at: string): DueTimes {
  const scheduled = withDueTime(rows)
  const all = scheduled.filter(({ held }) => !held)
  const due = all.filter(({ dueAt }) => dueAt <= at)
  return {
    due: due.length,
    first: due[0]?.dueAt ?? null,
    next: all[due.length]?.dueAt ?? null,
    held: scheduled.length - all.length,
  }
}

function withDueTime(rows: Iterable<Row>): (Row & DueCursor)[] {
  return [...rows].filter((row): row is Row & DueCursor => row.dueAt !== null).sort(earliestFirst)
}

function earliestFirst(one: DueCursor, other: DueCursor): number {
  if (one.dueAt !== other.dueAt) return one.dueAt < other.dueAt ? -1 : 1
  if (one.scheduledAt !== other.scheduledAt) return one.scheduledAt < other.scheduledAt ? -1 : 1
  return one.id - other.id
}

/** Returns a page of the apply attempts that began at `before` or earlier, earliest first. */
export function interruptedRows(
  rows: Iterable<Row>,
  before: string,
  { after, limit }: InterruptedPage,
): InterruptedApply[] {
  const attempts = [...rows].flatMap(({ id, key: { project }, applyingSince }) =>
    applyingSince === null || applyingSince > before ? [] : [{ id, project, applyingSince }],
  )
  const byTime = attempts.sort(oldestFirst)
  return byTime.filter((one) => after === undefined || oldestFirst(one, after) > 0).slice(0, limit)
}

type Began = Pick<InterruptedApply, 'applyingSince' | 'id'>

function oldestFirst(one: Began, other: Began): number {
  if (one.applyingSince === other.applyingSince) return one.id - other.id
  return one.applyingSince < other.applyingSince ? -1 : 1
}
