import type { DueChangeRequest, InterruptedApply } from '../../../ports/storage/change-requests'
import { type Names, type Reads, safeInteger, type UncheckedDatabase } from '../database/database'
import type { Bound } from './change-request-filter'
import { type StoredTexts, textAssignments } from './stored-texts'

interface TimesDialect {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly Bound[]): Promise<any[]>
  isoTime(column: string): string
}

/** Reads scheduled and interrupted change requests by the indexes of their times, which have few rows. */
export function timesReads(
  changeRequests: string,
  { rows, isoTime }: TimesDialect,
): Pick<Reads, 'due' | 'dueTimes' | 'interrupted'> {
  const earliest = isoTime('min(due_at)')
  return {
    due: async ({ before, after, limit }) => {
      const until = before === undefined ? '' : 'and due_at <= ?'
      const afterCursor = after === undefined ? '' : 'and (due_at, scheduled_at, id) > (?, ?, ?)'
      const cursor = after === undefined ? [] : [after.dueAt, after.scheduledAt, after.id]
      const found = await rows(
        `select summary, ${isoTime('due_at')} as time from ${changeRequests}
         where due_at is not null ${until} ${afterCursor} order by due_at, scheduled_at, id limit ?`,
        [...(before === undefined ? [] : [before]), ...cursor, limit],
      )
      return found.map(({ summary, time }): DueChangeRequest => ({ ...JSON.parse(summary), dueAt: time }))
    },
    dueTimes: async (at) => {
      const [row] = await rows(
        `select (select count(*) from ${changeRequests} where due_at <= ? and not held) as due,
           (select ${earliest} from ${changeRequests} where due_at <= ? and not held) as first,
           (select ${earliest} from ${changeRequests} where due_at > ? and not held) as next,
           (select count(*) from ${changeRequests} where held) as held`,
        [at, at, at],
      )
      return { due: safeInteger(row.due), first: row.first, next: row.next, held: safeInteger(row.held) }
    },
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

/**
 * Writes holds: they raise no version, and have no events.
 *
 * @param listed a list that is bound as one value, with the column `value`
 */
export function holdWrite(
  { table }: Names,
  listed: string,
  texts: StoredTexts,
  write: (text: string, values: readonly unknown[]) => Promise<unknown>,
): UncheckedDatabase<never>['hold'] {
  const changeRequests = table('change_requests')
  return async (change) => {
    if ('ids' in change) {
      const among = `select cast(value as bigint) from ${listed} as listed`
      const bound = [change.dueAt, change.ids.map(String)]
      await write(`update ${changeRequests} set due_at = ? where held and id in (${among})`, bound)
      return
    }
    const { changeRequest, summary, version, dueAt } = change
    const { document, documentSha256, content, contentSha256 } = texts.of(change, version)
    const columns = `summary = ?, ${textAssignments}, held = ${summary.held !== undefined}${dueAt === null ? '' : ', due_at = ?'}`
    await write(`update ${changeRequests} set ${columns} where id = ? and version = ?`, [
      JSON.stringify(summary),
      ...[document, documentSha256, content, contentSha256],
      ...(dueAt === null ? [] : [dueAt]),
      changeRequest.id,
      version,
    ])
  }
}
