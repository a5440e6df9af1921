import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { isVisible, type State } from '../../domain/lifecycle'
import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  FoundReviews,
  IdPage,
  ListedPage,
  OpenKey,
  ReviewCase,
  ReviewCursor,
  ReviewSearch,
  StoredChangeRequest,
  SummaryPage,
  UpdatedFilter,
  Write,
} from '../../ports/storage/change-requests'
import { type CountedChangeRequests, countedStates } from '../../ports/storage/gauges'
import { type ChangeRequestColumns, columnsOf } from '../../ports/storage/inspection'

export interface Row extends ChangeRequestColumns {
  readonly id: number
  readonly version: number
  readonly searchText: string
  readonly subjects: readonly string[]
  /** Text, so that no caller holds a reference into the store. */
  readonly summary: string
  readonly document: string
}

export function toRow(write: Write): Row {
  const { changeRequest, summary, version, searchText, subjects } = write
  return {
    ...{ ...columnsOf(write), id: changeRequest.id, version, searchText },
    subjects: [...subjects],
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

export function hasKey({ project, environment, createdBy }: Row, key: OpenKey): boolean {
  return project === key.project && environment === key.environment && createdBy === key.userId
}

export function search(rows: Iterable<Row>, filter: ChangeRequestFilter): Row[] {
  return [...rows].filter((row) => fits(row, filter)).sort(newestFirst)
}

function fits({ project, state, createdBy, subjects, afterReview }: Row, filter: ChangeRequestFilter): boolean {
  const { projects, states, viewer } = filter
  if (projects !== undefined && !projects.includes(project)) return false
  if (states !== undefined && !states.includes(state)) return false
  if (filter.createdBy !== undefined && createdBy !== filter.createdBy) return false
  if (filter.subjects !== undefined && !filter.subjects.some((subject) => subjects.includes(subject))) return false
  if (filter.afterReview && !afterReview) return false
  return isVisible(state, createdBy, viewer)
}

function newestFirst(one: Row, other: Pick<Row, 'createdAt' | 'id'>): number {
  if (one.createdAt === other.createdAt) return other.id - one.id
  return one.createdAt < other.createdAt ? 1 : -1
}

/** For the gauges: nothing for a draft, and for one that is closed. */
export function counted({ project, environment, state: found }: Row): CountedChangeRequests[] {
  const state = countedStates.find((one) => one === found)
  return state === undefined ? [] : [{ project, environment, state, count: 1 }]
}

/** Returns a page of the rows. Its size is counted in the column `text`. */
export function pageOf<Item>(
  found: readonly Row[],
  { after, offset = 0, ...page }: SummaryPage,
  text: Text,
  toItem: (row: Row) => Item,
): ListedPage<Item> {
  const left = found.filter((row) => after === undefined || newestFirst(row, after) > 0).slice(offset)
  const rows = firstOf(left, page, text)
  const last = rows.at(-1)
  const next = last === undefined || rows.length === left.length ? null : { createdAt: last.createdAt, id: last.id }
  return { items: rows.map(toItem), next }
}

/** Returns a page of the rows by id, and the id that the next one begins after. */
export function pageById(rows: Iterable<Row>, filter: UpdatedFilter, { after, ...page }: IdPage) {
  const left = [...rows].filter((row) => row.id > after && isUpdatedIn(row, filter)).sort((a, b) => a.id - b.id)
  const found = firstOf(left, page, 'document')
  return { rows: found, next: found.length === left.length ? null : (found.at(-1)?.id ?? null) }
}

function isUpdatedIn(row: Row, { projects, updatedFrom, updatedBefore }: UpdatedFilter): boolean {
  const { project, state, updatedAt } = row
  if (state === 'Draft' || projects?.includes(project) === false) return false
  return updatedAt >= (updatedFrom ?? updatedAt) && (updatedBefore === undefined || updatedAt < updatedBefore)
}

type Text = 'document' | 'summary'

function firstOf(rows: readonly Row[], { limit, bytes }: Pick<SummaryPage, 'limit' | 'bytes'>, text: Text): Row[] {
  const page: Row[] = []
  let total = 0
  for (const row of rows) {
    total += Buffer.byteLength(row[text])
    if (page.length === limit || (page.length > 0 && total > bytes)) break
    page.push(row)
  }
  return page
}

export function reviewsOf(rows: Iterable<Row>, search: ReviewSearch): FoundReviews {
  const { cases, order, after, counts } = search
  const fitting = [...rows].filter((row) => fitsSearch(row, search))
  const matching = (wanted: readonly ReviewCase[]) => fitting.filter((row) => wanted.some((one) => fitsCase(row, one)))
  const place = (row: Row) => ({ at: order === 'newest' ? row.createdAt : row.stateSince, id: row.id })
  const direction = order === 'waiting' ? 1 : -1
  const compare = (one: ReviewCursor, other: ReviewCursor) =>
    direction * (one.at === other.at ? one.id - other.id : one.at < other.at ? -1 : 1)
  const left = matching(cases)
    .filter((row) => after === undefined || compare(place(row), after) > 0)
    .sort((one, other) => compare(place(one), place(other)))
  const page = firstOf(left, search, 'document')
  const last = page.at(-1)
  return {
    items: page.map(stored),
    next: last === undefined || page.length === left.length ? null : place(last),
    counts: counts.of.map((one) => Math.min(matching(one).length, counts.upTo)),
  }
}

function fitsSearch(row: Row, search: ReviewSearch): boolean {
  const { id, createdAt, scheduledAt, subjects, searchText } = row
  const { scheduledFrom, scheduledBefore } = search
  if (scheduledFrom !== undefined && (scheduledAt === null || scheduledAt < scheduledFrom)) return false
  if (scheduledBefore !== undefined && (scheduledAt === null || scheduledAt >= scheduledBefore)) return false
  const { createdBy, createdFrom = createdAt, createdBefore, subjects: all = [], query } = search
  if (createdBy !== undefined && row.createdBy !== createdBy) return false
  if (createdAt < createdFrom || (createdBefore !== undefined && createdAt >= createdBefore)) return false
  if (!all.every((subject) => subjects.includes(subject))) return false
  return query === undefined || id === query.id || searchText.includes(query.part)
}

function fitsCase(row: Row, { groups, by, notBy, subject, withoutSubject, afterReview }: ReviewCase): boolean {
  const { project, environment, state, createdBy, wholeProject, subjects } = row
  if (by !== undefined && createdBy !== by) return false
  if (notBy !== undefined && createdBy === notBy) return false
  if (subject !== undefined && !hasSubject(subjects, subject)) return false
  if (withoutSubject !== undefined && hasSubject(subjects, withoutSubject)) return false
  if (afterReview && !row.afterReview) return false
  const scope = wholeProject ? 'project' : 'environment'
  return groups.some(
    (one) => one.project === project && one.environment === environment && one.scope === scope && one.state === state,
  )
}

function hasSubject(subjects: readonly string[], wanted: NonNullable<ReviewCase['subject']>): boolean {
  if (typeof wanted === 'string') return subjects.includes(wanted)
  return subjects.some((subject) => subject >= wanted.from && subject <= wanted.to)
}

export function groupsOf(found: readonly Row[], viewer: number | null): ChangeRequestGroup[] {
  const groups = new Map<string, ChangeRequestGroup>()
  for (const row of found) {
    const { project, environment, scope, state, createdBy, reviewedBy } = summaryOf(row)
    const reviewed = viewer !== null && reviewedBy.includes(viewer)
    const fields = { project, environment, scope, state, own: createdBy.id === viewer, reviewed }
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
