import type { ChangeRequestSummary } from '../../../domain/content/summary'
import type { InterruptedApply } from '../../../ports/storage/change-requests'
import type { Bound } from './change-request-filter'
import { type Reads, safeInteger } from './database'

interface TimesDialect {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly Bound[]): Promise<any[]>
  isoTime(column: string): string
}

/** Reads scheduled change requests by the index of due times, which has few rows. */
export function dueReads(changeRequests: string, { rows, isoTime }: TimesDialect): Pick<Reads, 'due' | 'dueTimes'> {
  const earliest = isoTime('min(due_at)')
  return {
    due: async ({ before, after, limit }) => {
      const values: Bound[] = []
      const must = (text: string, ...bound: Bound[]) => {
        values.push(...bound)
        return `and ${text}`
      }
      const until = before === undefined ? '' : must('due_at <= ?', before)
      const afterCursor = after === undefined ? '' : must('(due_at, id) > (?, ?)', after.dueAt, after.id)
      const found = await rows(
        `select summary from ${changeRequests} where due_at is not null ${until} ${afterCursor} order by due_at, id limit ?`,
        [...values, limit],
      )
      return found.map(({ summary }) => JSON.parse(summary) as ChangeRequestSummary)
    },
    dueTimes: async (at) => {
      const [row] = await rows(
        `select (select count(*) from ${changeRequests} where due_at <= ?) as due,
           (select ${earliest} from ${changeRequests} where due_at <= ?) as first,
           (select ${earliest} from ${changeRequests} where due_at > ?) as next`,
        [at, at, at],
      )
      return { due: safeInteger(row.due), first: row.first, next: row.next }
    },
  }
}

/** Reads apply attempts whose result is unknown, by the index of their start times, which has few rows. */
export function interruptedReads(changeRequests: string, { rows, isoTime }: TimesDialect): Pick<Reads, 'interrupted'> {
  return {
    interrupted: async (before, { after, limit }) => {
      const afterCursor = after === undefined ? '' : 'and (applying_since, id) > (?, ?)'
      const found = await rows(
        `select id, project, ${isoTime('applying_since')} as since from ${changeRequests}
         where applying_since is not null and applying_since <= ? ${afterCursor} order by applying_since, id limit ?`,
        [before, ...(after === undefined ? [] : [after.applyingSince, after.id]), limit],
      )
      return found.map(
        ({ id, project, since }): InterruptedApply => ({ id: safeInteger(id), project, applyingSince: since }),
      )
    },
  }
}
