import type { State } from '../../../domain/lifecycle'
import type { ChangeRequestFilter, Write } from '../../../ports/storage/change-requests'
import type { Bound } from './change-request-filter'
import type { Names } from './database'

/** What a write adds to one stored count of change requests. */
export interface CountChange {
  /** A user id as text; '' counts those of all authors. */
  readonly author: string
  readonly project: string
  readonly state: State
  readonly added: 1 | -1
}

/** What a write adds to the counts: nothing if the state stays. */
export function countChanges({ changeRequest, stateBefore, removed }: Write): CountChange[] {
  const { project, createdBy, state } = changeRequest
  const after = removed === true ? null : state
  if (stateBefore === after) return []
  const changes = [
    { state: stateBefore, added: -1 as const },
    { state: after, added: 1 as const },
  ]
  return changes.flatMap(({ state, added }) =>
    state === null ? [] : ['', `${createdBy.id}`].map((author) => ({ author, project, state, added })),
  )
}

/** Counts by state from the stored counts. Undefined for a filter with subjects or `afterReview`, which have none. */
export function storedCountsStatement(
  table: Names['table'],
  { projects, states, createdBy, subjects, afterReview, viewer }: ChangeRequestFilter,
  among: (column: string) => string,
): { readonly text: string; readonly values: readonly Bound[] } | undefined {
  if (subjects !== undefined || afterReview !== undefined) return undefined
  const conditions = [among('author')]
  const values: Bound[] = [createdBy === undefined ? ['', ...(viewer === null ? [] : [`${viewer}`])] : [`${createdBy}`]]
  // Drafts are counted for their author alone, all other states for all authors.
  if (createdBy === undefined) conditions.push(`(author = '') = (state <> 'Draft')`)
  else if (createdBy !== viewer) conditions.push(`state <> 'Draft'`)
  for (const [column, list] of [
    ['project', projects],
    ['state', states],
  ] as const) {
    if (list === undefined) continue
    conditions.push(among(column))
    values.push(list)
  }
  const text = `select state, sum(total) as count from ${table('change_request_counts')}
    where ${conditions.join(' and ')} group by state having sum(total) <> 0`
  return { text, values }
}

/** Replaces the stored counts by those of the table: all of them, or those that match the condition. */
export function recountedStatesTexts({ table }: Names, condition = 'true'): string[] {
  const [counts, changeRequests] = [table('change_request_counts'), `${table('change_requests')} where ${condition}`]
  return [
    `delete from ${counts} where ${condition}`,
    `insert into ${counts} (author, project, state, total)
     select '', project, state, count(*) from ${changeRequests} group by project, state
     union all
     select cast(created_by as text), project, state, count(*) from ${changeRequests} group by created_by, project, state`,
  ]
}
