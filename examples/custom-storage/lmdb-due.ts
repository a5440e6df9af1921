import type { ChangeRequestSummary, DuePage, DueTimes, Write } from 'express-change-requests'
import { last, type Tables } from './lmdb-tables'

/** Inside a write. */
export function putDue({ due, dueOf }: Tables, { changeRequest: { id }, dueAt, removed }: Write): void {
  const before = dueOf.get(id)
  if (before !== undefined) due.removeSync([before, id])
  dueOf.removeSync(id)
  if (dueAt === null || removed) return
  due.putSync([dueAt, id], true)
  dueOf.putSync(id, dueAt)
}

/** The earliest first; no more is read than is asked for. */
export function duePage({ due, summaries }: Tables, { before, after, limit }: DuePage): ChangeRequestSummary[] {
  const start = after === undefined ? [''] : [after.dueAt, after.id]
  const end = before === undefined ? [last] : [before, last]
  const keys = due.getKeys({ start, exclusiveStart: true, end, limit })
  return [...keys].flatMap(([, id]) => summaries.get(id) ?? [])
}

export function dueTimes({ due }: Tables, at: string): DueTimes {
  const first = (start: Array<string | Buffer>, end: Array<string | Buffer>) =>
    [...due.getKeys({ start, end, limit: 1 })][0]?.[0] ?? null
  return {
    due: due.getKeysCount({ start: [''], end: [at, last] }),
    first: first([''], [at, last]),
    next: first([at, last], [last]),
  }
}
