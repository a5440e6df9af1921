import type { State } from '../../../domain/lifecycle'
import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  GroupFilter,
  Write,
  WriteBefore,
} from '../../../ports/storage/change-requests'
import type { Bound } from './change-request-filter'
import { type Names, safeInteger } from './database'

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
  const { project, environment, createdBy } = changeRequest
  const changes = new Map<string, CountChange>()
  const count = (counted: WriteBefore | Write['summary'], added: number) => {
    const { state, approvedBy, scope } = counted
    for (const author of countedFor(createdBy.id, approvedBy)) {
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

/**
 * The counts of a change request: of all ('') and of its author (a user id), of each user who has approved it, and of an
 * author who has approved their own.
 */
function countedFor(author: number, approvedBy: readonly number[]): string[] {
  const approvals = approvedBy.map((id) => (id === author ? ownApprovedBy(id) : approvedByOther(id)))
  return ['', `${author}`, ...new Set(approvals)]
}

const approvedByOther = (id: number) => `approved:${id}`
const ownApprovedBy = (id: number) => `own-approved:${id}`

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

/**
 * Replaces the stored counts by those of the table: all of them, or those that match the condition.
 *
 * @param approvals a condition for a join to a table `a`: its `value` is a user id in `approvedBy` of the summary `c.summary`
 */
export function recountedStatesTexts({ table }: Names, approvals: string, condition = 'true'): string[] {
  const counts = table('change_request_counts')
  const changeRequests = `${table('change_requests')} as c`
  const group = 'project, environment, whole_project, state'
  const byAuthor = (author: string, from: string) =>
    `select ${author} as author, ${group}, count(*) from ${from} where ${condition} group by 1, ${group}`
  const approval = `case when cast(a.value as bigint) = created_by then 'own-approved:' else 'approved:' end`
  return [
    `delete from ${counts} where ${condition}`,
    `insert into ${counts} (author, ${group}, total)
     ${byAuthor(`''`, changeRequests)}
     union all ${byAuthor('cast(created_by as text)', changeRequests)}
     union all ${byAuthor(`${approval} || a.value`, `${changeRequests}, ${approvals}`)}`,
  ]
}

/** The groups of change requests from the stored counts. */
export function groupsStatement(
  table: Names['table'],
  { projects, states, viewer }: GroupFilter,
  among: (column: string) => string,
): { readonly text: string; readonly values: readonly Bound[] } {
  const counted = viewer === null ? [] : [`${viewer}`, approvedByOther(viewer), ownApprovedBy(viewer)]
  const [own = null, approved = null, ownApproved = null] = counted
  // Counts have few rows for each author, and an expression has no index.
  const conditions: [string, Bound][] = [[among('author'), ['', ...counted]]]
  if (projects !== undefined) conditions.push([among('project'), projects])
  if (states !== undefined) conditions.push([among('state'), states])
  const group = 'project, environment, whole_project, state'
  const sum = (name: string) => `sum(case when author = ? then total else 0 end) as ${name}`
  const text = `select ${group}, ${sum('total')}, ${sum('own')}, ${sum('approved')}, ${sum('own_approved')}
    from ${table('change_request_counts')} where ${conditions.map(([condition]) => condition).join(' and ')}
    group by ${group}`
  return { text, values: ['', own, approved, ownApproved, ...conditions.map(([, value]) => value)] }
}

interface GroupRow extends Pick<ChangeRequestGroup, 'project' | 'environment' | 'state'> {
  readonly whole_project: unknown
  readonly total: unknown
  readonly own: unknown
  readonly approved: unknown
  readonly own_approved: unknown
}

/** Drafts of others are in no group. */
export function toGroups({ project, environment, state, whole_project, ...counts }: GroupRow): ChangeRequestGroup[] {
  const own = safeInteger(counts.own)
  const ownApproved = safeInteger(counts.own_approved)
  const [total, approved] = state === 'Draft' ? [own, 0] : [safeInteger(counts.total), safeInteger(counts.approved)]
  const scope = whole_project ? 'project' : 'environment'
  const groups = [
    { own: true, approved: true, count: ownApproved },
    { own: true, approved: false, count: own - ownApproved },
    { own: false, approved: true, count: approved },
    { own: false, approved: false, count: total - own - approved },
  ]
  return groups.filter(({ count }) => count > 0).map((group) => ({ project, environment, scope, state, ...group }))
}
