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
  return compareText(one.dueAt, other.dueAt) || compareText(one.scheduledAt, other.scheduledAt) || one.id - other.id
}

/** Returns a page of the apply attempts that began at `before` or earlier, earliest first. */
export function interruptedRows(
  rows: Iterable<Row>,
  before: string,
  { after, limit }: InterruptedPage,
): InterruptedApply[] {
  const attempts = [...rows].flatMap(({ id, project, applyingSince }) =>
    applyingSince === null || applyingSince > before ? [] : [{ id, project, applyingSince }],
  )
  const oldestFirst = (one: Pick<InterruptedApply, 'applyingSince' | 'id'>, other: typeof one) =>
    compareText(one.applyingSince, other.applyingSince) || one.id - other.id
  return attempts
    .sort(oldestFirst)
    .filter((one) => after === undefined || oldestFirst(one, after) > 0)
    .slice(0, limit)
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
