import type { ChangeRequestFilter } from '../../../ports/storage/change-requests'
import type { Names } from '../database/database'
import type { Sql } from '../database/sql'

export type Bound = string | number | null | readonly string[]

export type Part = Sql<Bound>

export interface FilterDialect {
  /** A condition with one list as its value. */
  among(column: string): string
  /** The rows of a list, with the column `value`. */
  readonly values: string
  /** The rows `c` of a table with the ids that a query returns. They are found by id, however many the planner expects. */
  withIds(ids: string, table: string): string
}

/**
 * The rows `c` that match the filter. Those with a subject are found by id, however many the planner expects: without statistics
 * both databases would rather read all rows of the project, of the state or of the author.
 *
 * @param project the column `project`, where several projects are compared.
 */
export function matching(
  filter: ChangeRequestFilter,
  table: Names['table'],
  { among, withIds, values: listed }: FilterDialect,
  project = 'project',
): Part {
  const conditions: string[] = []
  const values: Bound[] = []
  function must(text: string, ...bound: Bound[]): void {
    conditions.push(text)
    values.push(...bound)
  }
  const { projects, states, createdBy, subjects, afterReview, viewer } = filter
  // `isVisible` of the domain in SQL.
  const drafts = states === undefined || states.includes('Draft')
  if (drafts && viewer === null) must(`state <> 'Draft'`)
  else if (drafts) must(`(state <> 'Draft' or created_by = ?)`, viewer)
  // With one project an index gives the order of the list.
  if (projects?.length === 1) must('project = ?', projects[0] as string)
  else if (projects !== undefined) must(among(project), projects)
  // A list of values, not an array: SQLite then reads the index of groups in its order.
  if (states !== undefined) must(states.length === 0 ? 'false' : `state in (${states.map(() => '?')})`, ...states)
  if (createdBy !== undefined) must('created_by = ?', createdBy)
  // Must be the expression in the condition of the index.
  if (afterReview) must('after_review')
  const condition = conditions.join(' and ') || 'true'
  const changeRequests = table('change_requests')
  if (subjects === undefined) return { text: `${changeRequests} as c where ${condition}`, values }
  const ids = `select distinct change_request_id as id from ${table('change_request_subjects')} where subject in ${listed}`
  return { text: `${withIds(ids, changeRequests)} where ${condition}`, values: [subjects, ...values] }
}

/** Selects the distinct values of an indexed column as `found`, with one index lookup each instead of a scan. Ends with null. */
export function distinct(from: string, column: string, scope?: string): string {
  const next = (after?: string) => {
    const conditions = [scope, after].filter((text) => text !== undefined)
    return `select min(${column}) from ${from}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
  }
  return `with recursive found(value) as (
    ${next()}
    union all
    select (${next(`${column} > found.value`)}) from found where found.value is not null
  )`
}
