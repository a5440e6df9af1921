import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { isVisible, type State } from '../../domain/lifecycle'
import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  ListedPage,
  OpenKey,
  StoredChangeRequest,
  SummaryPage,
  Write,
} from '../../ports/storage/change-requests'

export interface Row {
  readonly id: number
  readonly version: number
  readonly open: boolean
  readonly afterReview: boolean
  readonly key: OpenKey
  readonly state: State
  readonly createdAt: string
  readonly subjects: readonly string[]
  readonly dueAt: string | null
  readonly applyingSince: string | null
  /** Text, so that no caller holds a reference into the store. */
  readonly summary: string
  readonly document: string
}

export function toRow(write: Write): Row {
  const { changeRequest, summary, version, open, afterReview = false, subjects, dueAt, applyingSince } = write
  const { id, project, environment, createdBy, state, createdAt } = changeRequest
  return {
    id,
    version,
    open,
    afterReview,
    key: { project, environment, userId: createdBy.id },
    state,
    createdAt,
    subjects: [...subjects],
    dueAt,
    applyingSince,
    summary: JSON.stringify(summary),
    document: JSON.stringify(changeRequest),
  }
}

export function stored({ version, document }: Row): StoredChangeRequest {
  return { version, changeRequest: JSON.parse(document) as ChangeRequest }
}

export function summaryOf({ summary }: Row): ChangeRequestSummary {
  return JSON.parse(summary) as ChangeRequestSummary
}

export function sameKey(one: OpenKey, other: OpenKey): boolean {
  return one.project === other.project && one.environment === other.environment && one.userId === other.userId
}

/** Returns all matching rows, newest first. */
export function search(rows: Iterable<Row>, filter: ChangeRequestFilter): Row[] {
  return [...rows].filter((row) => fits(row, filter)).sort(newestFirst)
}

function fits({ key, state, subjects, afterReview }: Row, filter: ChangeRequestFilter): boolean {
  const { projects, states, createdBy, viewer } = filter
  if (projects !== undefined && !projects.includes(key.project)) return false
  if (states !== undefined && !states.includes(state)) return false
  if (createdBy !== undefined && key.userId !== createdBy) return false
  if (filter.subjects !== undefined && !filter.subjects.some((subject) => subjects.includes(subject))) return false
  if (filter.afterReview && !afterReview) return false
  return isVisible(state, key.userId, viewer)
}

type Place = Pick<Row, 'createdAt' | 'id'>

function newestFirst(one: Place, other: Place): number {
  if (one.createdAt === other.createdAt) return other.id - one.id
  return one.createdAt < other.createdAt ? 1 : -1
}

/** Returns a page of the rows. Its size is counted in the column `text`. */
export function pageOf<Item>(
  found: readonly Row[],
  { after, offset = 0, limit, bytes }: SummaryPage,
  text: 'document' | 'summary',
  toItem: (row: Row) => Item,
): ListedPage<Item> {
  const left = found.filter((row) => after === undefined || newestFirst(row, after) > 0).slice(offset)
  const page: Row[] = []
  let total = 0
  for (const row of left) {
    total += Buffer.byteLength(row[text])
    if (page.length === limit || (page.length > 0 && total > bytes)) break
    page.push(row)
  }
  const last = page.at(-1)
  const next = last === undefined || page.length === left.length ? null : { createdAt: last.createdAt, id: last.id }
  return { items: page.map(toItem), next }
}

export function groupsOf(found: readonly Row[], viewer: number | null, subject: string | null): ChangeRequestGroup[] {
  const groups = new Map<string, ChangeRequestGroup>()
  for (const row of found) {
    const { project, environment, scope, state, createdBy } = summaryOf(row)
    const hasSubject = subject !== null && row.subjects.includes(subject)
    const fields = { project, environment, scope, state, own: createdBy.id === viewer, hasSubject }
    const key = JSON.stringify(Object.values(fields))
    groups.set(key, { ...fields, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

export function countStates(found: readonly Row[]): { [state in State]?: number } {
  const counts: { [state in State]?: number } = {}
  for (const { state } of found) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
