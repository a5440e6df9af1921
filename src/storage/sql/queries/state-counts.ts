import type { State } from '../../../domain/lifecycle'
import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  GroupFilter,
  Write,
  WriteBefore,
} from '../../../ports/storage/change-requests'
import { type Names, safeInteger } from '../database/database'
import type { Bound, Part } from './change-request-filter'

/** What a write adds to one stored count of change requests. */
export interface CountChange {
  /** Whose: see {@link countedFor}. */
  readonly author: string
  readonly project: string
  readonly environment: string
  readonly wholeProject: boolean
  readonly state: State
  readonly added: number
}

/** What a write adds to the counts: nothing if the change request stays in its group, with the same approvals. */
export function countChanges({ changeRequest, summary, before, removed }: Write): CountChange[] {
  const groupOf = ({ state, scope, reviewedBy }: WriteBefore | Write['summary']) => `${[state, scope, reviewedBy]}`
  if (before !== null && removed !== true && groupOf(before) === groupOf(summary)) return []
  const { project, environment, createdBy } = changeRequest
  const changes = new Map<string, CountChange>()
  const count = (counted: WriteBefore | Write['summary'], added: number) => {
    const { state, reviewedBy, scope } = counted
    for (const author of countedFor(createdBy.id, reviewedBy)) {
      const group = { author, project, environment, wholeProject: scope === 'project', state }
      const key = [author, state, scope].join()
      const sum = added + (changes.get(key)?.added ?? 0)
      if (sum === 0) changes.delete(key)
      else changes.set(key, { ...group, added: sum })
    }
  }
  if (before !== null) count(before, -1)
  if (removed !== true) count(summary, 1)
  return [...changes.values()]
}

/** Counts of a change request: all (''), its author, its reviewers, and an author who has reviewed their own. */
function countedFor(author: number, reviewedBy: readonly number[]): string[] {
  const approvals = reviewedBy.map((id) => (id === author ? ownReviewedBy(id) : reviewedByOther(id)))
  return ['', `${author}`, ...new Set(approvals)]
}

const reviewedByOther = (id: number) => `reviewed:${id}`
const ownReviewedBy = (id: number) => `own-reviewed:${id}`

/** Counts by state from the stored counts. Undefined for a filter with subjects or `afterReview`, which have none. */
export function storedCountsStatement(
  table: Names['table'],
  { projects, states, createdBy, subjects, afterReview, viewer }: ChangeRequestFilter,
  among: (column: string) => string,
): Part | undefined {
  if (subjects !== undefined || afterReview !== undefined) return undefined
  const conditions = [among('author')]
  const values: Bound[] = [createdBy === undefined ? ['', ...(viewer === null ? [] : [`${viewer}`])] : [`${createdBy}`]]
  // Drafts are counted for their author alone, all other states for all authors.
  if (createdBy === undefined) conditions.push(`(author = '') = (state <> 'Draft')`)
  else if (createdBy !== viewer) conditions.push(`state <> 'Draft'`)
  for (const [column, list] of Object.entries({ project: projects, state: states })) {
    if (list === undefined) continue
    conditions.push(among(column))
    values.push(list)
  }
  const text = `select state, sum(total) as count from ${table('change_request_counts')}
    where ${conditions.join(' and ')} group by state having sum(total) <> 0`
  return { text, values }
}

const countedGroup = 'project, environment, whole_project, state'

/** Counts the table. The condition occurs three times. */
function countedStates({ table }: Names, approvals: string, condition: string): string {
  const changeRequests = `${table('change_requests')} as c`
  const byAuthor = (author: string, from: string) =>
    `select ${author} as author, ${countedGroup}, count(*) as total from ${from} where ${condition} group by 1, ${countedGroup}`
  const approval = `case when cast(a.value as bigint) = created_by then 'own-reviewed:' else 'reviewed:' end`
  return `${byAuthor(`''`, changeRequests)}
     union all ${byAuthor('cast(created_by as text)', changeRequests)}
     union all ${byAuthor(`${approval} || a.value`, `${changeRequests}, ${approvals}`)}`
}

/**
 * Replaces the stored counts by those of the table: all of them, or those that match the condition.
 *
 * @param approvals a condition for a join to a table `a`: its `value` is a user id in `reviewedBy` of the summary `c.summary`
 */
export function recountedStatesTexts(names: Names, approvals: string, condition = 'true'): string[] {
  const counts = names.table('change_request_counts')
  return [
    `delete from ${counts} where ${condition}`,
    `insert into ${counts} (author, ${countedGroup}, total)
     ${countedStates(names, approvals, condition)}`,
  ]
}

/** The stored counts of a project, each with what counting gives. Takes the project four times. */
export function comparedStatesText(names: Names, approvals: string): string {
  const group = 'author, environment, whole_project, state'
  return `select ${group}, sum(stored) as stored, sum(counted) as counted from (
      select ${group}, total as stored, 0 as counted from ${names.table('change_request_counts')} where project = ?
      union all
      select ${group}, 0, total from (${countedStates(names, approvals, 'project = ?')}) as c
    ) as both_counts group by ${group}`
}

/** The groups of change requests from the stored counts. */
export function groupsStatement(
  table: Names['table'],
  { projects, states, viewer }: GroupFilter,
  among: (column: string) => string,
): Part {
  const counted = viewer === null ? [] : [`${viewer}`, reviewedByOther(viewer), ownReviewedBy(viewer)]
  const [own = null, reviewed = null, ownReviewed = null] = counted
  // Counts have few rows for each author, and an expression has no index.
  const conditions: [string, Bound][] = [[among('author'), ['', ...counted]]]
  if (projects !== undefined) conditions.push([among('project'), projects])
  if (states !== undefined) conditions.push([among('state'), states])
  const group = 'project, environment, whole_project, state'
  const sum = (name: string) => `sum(case when author = ? then total else 0 end) as ${name}`
  const text = `select ${group}, ${sum('total')}, ${sum('own')}, ${sum('reviewed')}, ${sum('own_reviewed')}
    from ${table('change_request_counts')} where ${conditions.map(([condition]) => condition).join(' and ')}
    group by ${group}`
  return { text, values: ['', own, reviewed, ownReviewed, ...conditions.map(([, value]) => value)] }
}

/** Drafts of others are in no group. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toGroups({ project, environment, state, whole_project, ...counts }: any): ChangeRequestGroup[] {
  const own = safeInteger(counts.own)
  const ownReviewed = safeInteger(counts.own_reviewed)
  const [total, reviewed] = state === 'Draft' ? [own, 0] : [safeInteger(counts.total), safeInteger(counts.reviewed)]
  const scope: ChangeRequestGroup['scope'] = whole_project ? 'project' : 'environment'
  const groups = [
    { own: true, reviewed: true, count: ownReviewed },
    { own: true, reviewed: false, count: own - ownReviewed },
    { own: false, reviewed: true, count: reviewed },
    { own: false, reviewed: false, count: total - own - reviewed },
  ]
  return groups.filter(({ count }) => count > 0).map((group) => ({ project, environment, scope, state, ...group }))
}
