import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  DueChangeRequest,
  DuePage,
  DueTimes,
  FoundReviews,
  GroupFilter,
  HoldWrite,
  InterruptedApply,
  InterruptedPage,
  ListCursor,
  ListedPage,
  ReviewCase,
  ReviewCursor,
  ReviewSearch,
  StoredChangeRequest,
  SummaryPage,
  Write,
} from 'express-change-requests'
import { everywhere, type Listed, last, type Place, part, type Tables } from './lmdb-tables'

export function putListed(
  { lists, bySubject, summaries }: Tables,
  { changeRequest, summary, subjects, searchText, afterReview = false, removed }: Write,
): void {
  const { id, project, environment, state, createdBy, createdAt } = changeRequest
  const bytes = { changeRequest: bytesOf(changeRequest), summary: bytesOf(summary) }
  const { scope, stateSince, reviewedBy } = summary
  const fields = { project, environment, scope, state, stateSince, createdBy: createdBy.id, reviewedBy }
  const listed: Listed = { ...fields, subjects, searchText, afterReview, bytes }
  const before = lists.get([everywhere, createdAt, id])?.subjects ?? []
  for (const subject of before) bySubject.removeSync([part(subject), createdAt, id])
  if (!removed) for (const subject of subjects) bySubject.putSync([part(subject), createdAt, id], true)
  if (removed) summaries.removeSync(id)
  else summaries.putSync(id, summary)
  for (const place of [everywhere, part(project)] as const) {
    if (removed) lists.removeSync([place, createdAt, id])
    else lists.putSync([place, createdAt, id], listed)
  }
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Newest first, after the cursor; reads only the requested items. */
export function* search(
  tables: Tables,
  filter: ChangeRequestFilter,
  after?: ListCursor,
): Generator<Listed & ListCursor> {
  if (filter.subjects !== undefined) return yield* searchSubjects(tables, filter, filter.subjects, after)
  const [project, second] = filter.projects ?? []
  const place = project !== undefined && second === undefined ? part(project) : everywhere
  for (const { key, value } of listed(tables, place, after)) {
    if (matches(value, filter)) yield { ...value, createdAt: key[1], id: key[2] }
  }
}

/** Reads only what has one of the subjects. */
function* searchSubjects(
  { lists, bySubject }: Tables,
  filter: ChangeRequestFilter,
  subjects: readonly string[],
  after?: ListCursor,
): Generator<Listed & ListCursor> {
  const found = new Map<number, ListCursor>()
  for (const subject of subjects) {
    for (const [, createdAt, id] of bySubject.getKeys(newestIn(part(subject), after))) found.set(id, { createdAt, id })
  }
  for (const { createdAt, id } of [...found.values()].sort(newestFirst)) {
    const value = lists.get([everywhere, createdAt, id])
    if (value !== undefined && matches(value, filter)) yield { ...value, createdAt, id }
  }
}

function newestFirst(one: ListCursor, other: ListCursor): number {
  if (one.createdAt === other.createdAt) return other.id - one.id
  return one.createdAt < other.createdAt ? 1 : -1
}

export function pageOf<Item>(
  tables: Tables,
  filter: ChangeRequestFilter,
  { after, offset = 0, ...size }: SummaryPage,
  text: keyof Listed['bytes'],
  read: (id: number) => Item | undefined,
): ListedPage<Item> {
  const { items, last } = firstOf(skipped(search(tables, filter, after), offset), size, text, read)
  return { items, next: last && { createdAt: last.createdAt, id: last.id } }
}

function* skipped<Row>(rows: Iterable<Row>, count: number): Generator<Row> {
  let index = 0
  for (const row of rows) {
    index += 1
    if (index > count) yield row
  }
}

/**
 * The first items, and the row of the last one if more are left. The sizes are stored with the filter fields, so that items
 * outside the page are not read.
 */
function firstOf<Row extends Listed & { readonly id: number }, Item>(
  rows: Iterable<Row>,
  { limit, bytes }: Pick<SummaryPage, 'limit' | 'bytes'>,
  text: keyof Listed['bytes'],
  read: (id: number) => Item | undefined,
): { readonly items: Item[]; readonly last: Row | null } {
  const items: Item[] = []
  let last: Row | null = null
  let total = 0
  for (const row of rows) {
    total += row.bytes[text]
    if (items.length === limit || (items.length > 0 && total > bytes)) return { items, last }
    const item = read(row.id)
    if (item !== undefined) items.push(item)
    last = row
  }
  return { items, last: null }
}

export function groupsOf(tables: Tables, filter: GroupFilter): ChangeRequestGroup[] {
  const groups = new Map<string, ChangeRequestGroup>()
  const { viewer } = filter
  for (const { project, environment, scope, state, createdBy, reviewedBy } of search(tables, filter)) {
    const reviewed = viewer !== null && reviewedBy.includes(viewer)
    const fields = { project, environment, scope, state, own: createdBy === viewer, reviewed }
    const key = JSON.stringify(Object.values(fields))
    groups.set(key, { ...fields, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

/** Compares the filter fields of all change requests, but reads only the items of the page. */
export function reviewsOf(
  tables: Tables,
  search: ReviewSearch,
  read: (id: number) => StoredChangeRequest | undefined,
): FoundReviews {
  const { cases, order, after, counts } = search
  const fitting: (Listed & ReviewCursor)[] = []
  for (const { key, value } of listed(tables, everywhere)) {
    const at = order === 'newest' ? key[1] : value.stateSince
    const row = { ...value, at, id: key[2] }
    if (fitsSearch(row, search)) fitting.push(row)
  }
  const matching = (wanted: readonly ReviewCase[]) => fitting.filter((row) => wanted.some((one) => fitsCase(row, one)))
  const direction = order === 'newest' ? -1 : 1
  const compare = (one: ReviewCursor, other: ReviewCursor) =>
    direction * (one.at === other.at ? one.id - other.id : one.at < other.at ? -1 : 1)
  const left = matching(cases).filter((row) => after === undefined || compare(row, after) > 0)
  const { items, last } = firstOf(left.sort(compare), search, 'changeRequest', read)
  return {
    items,
    next: last && { at: last.at, id: last.id },
    counts: counts.of.map((one) => Math.min(matching(one).length, counts.upTo)),
  }
}

function fitsSearch({ id, createdBy, subjects, searchText }: Listed & ReviewCursor, search: ReviewSearch): boolean {
  const { query, subjects: all = [] } = search
  if (search.createdBy !== undefined && createdBy !== search.createdBy) return false
  if (!all.every((subject) => subjects.includes(subject))) return false
  return query === undefined || id === query.id || searchText.includes(query.part)
}

function fitsCase(row: Listed, { groups, by, notBy, subject, withoutSubject, afterReview }: ReviewCase): boolean {
  const { project, environment, scope, state, createdBy, subjects } = row
  if (by !== undefined && createdBy !== by) return false
  if (notBy !== undefined && createdBy === notBy) return false
  if (subject !== undefined && !hasSubject(subjects, subject)) return false
  if (withoutSubject !== undefined && hasSubject(subjects, withoutSubject)) return false
  if (afterReview === true && !row.afterReview) return false
  const fields = [project, environment, scope, state].join('\n')
  return groups.some((one) => [one.project, one.environment, one.scope, one.state].join('\n') === fields)
}

function hasSubject(subjects: readonly string[], wanted: NonNullable<ReviewCase['subject']>): boolean {
  if (typeof wanted === 'string') return subjects.includes(wanted)
  return subjects.some((subject) => subject >= wanted.from && subject <= wanted.to)
}

/** One read per project, whatever its size. */
export function projectsOf({ lists, log }: Tables): string[] {
  const found = new Set<string>()
  for (const table of [lists, log]) {
    let [first] = table.getRange({ start: [''], limit: 1 })
    while (first !== undefined) {
      found.add(first.value.project ?? '')
      ;[first] = table.getRange({ start: [first.key[0], last], limit: 1 })
    }
  }
  return [...found]
}

export function environmentsOf(tables: Tables, project: string): Set<string> {
  return new Set([...listed(tables, part(project))].map(({ value }) => value.environment))
}

function listed({ lists }: Tables, place: Place, after?: ListCursor) {
  return lists.getRange(newestIn(place, after))
}

function newestIn(place: Place, after?: ListCursor) {
  const start = after === undefined ? [place, last] : [place, after.createdAt, after.id]
  return { start, exclusiveStart: true, end: [place], reverse: true }
}

/** Compares everything but the subjects, which have an index. */
function matches(row: Listed, filter: ChangeRequestFilter): boolean {
  const { projects, states, createdBy, afterReview, viewer } = filter
  if (projects !== undefined && !projects.includes(row.project)) return false
  if (states !== undefined && !states.includes(row.state)) return false
  if (createdBy !== undefined && row.createdBy !== createdBy) return false
  if (afterReview && !row.afterReview) return false
  return row.state !== 'Draft' || row.createdBy === viewer
}

/** Call inside a write. */
export function putDue({ due, dueOf }: Tables, { changeRequest: { id }, summary, dueAt, removed }: DueWrite): void {
  const before = dueOf.get(id)
  if (before !== undefined) due.removeSync([...before, id])
  dueOf.removeSync(id)
  if (dueAt === null || removed) return
  const scheduledAt = summary.schedule?.scheduledAt ?? dueAt
  due.putSync([dueAt, scheduledAt, id], summary.held !== undefined)
  dueOf.putSync(id, [dueAt, scheduledAt])
}

type DueWrite = Pick<Write, 'changeRequest' | 'summary' | 'dueAt' | 'removed'>

/** Call inside a write. */
export function putHold(tables: Tables, { changeRequest, summary, version, dueAt }: HoldWrite): void {
  const { id } = changeRequest
  if (tables.changeRequests.get(id)?.version !== version) return
  tables.changeRequests.putSync(id, { version, changeRequest })
  tables.summaries.putSync(id, summary)
  putDue(tables, { changeRequest, summary, dueAt: dueAt ?? tables.dueOf.get(id)?.[0] ?? null })
}

/** Call inside a write. */
export function moveHeld(tables: Tables, ids: readonly number[], dueAt: string): void {
  for (const id of ids) {
    const [stored, summary] = [tables.changeRequests.get(id), tables.summaries.get(id)]
    if (stored !== undefined && summary?.held !== undefined) putDue(tables, { ...stored, summary, dueAt })
  }
}

/** Earliest first; reads only the requested items. */
export function duePage({ due, summaries }: Tables, { before, after, limit }: DuePage): DueChangeRequest[] {
  const start = after === undefined ? [''] : [after.dueAt, after.scheduledAt, after.id]
  const end = before === undefined ? [last] : [before, last]
  const keys = due.getKeys({ start, exclusiveStart: true, end, limit })
  return [...keys].flatMap(([dueAt, , id]) => {
    const summary = summaries.get(id)
    return summary === undefined ? [] : { ...summary, dueAt }
  })
}

export function dueTimes({ due }: Tables, at: string): DueTimes {
  const all = [...due.getRange({})]
  const times = all.filter(({ value: held }) => !held).map(({ key: [dueAt] }) => dueAt)
  const count = times.filter((dueAt) => dueAt <= at).length
  return {
    due: count,
    first: count === 0 ? null : (times[0] ?? null),
    next: times[count] ?? null,
    held: all.length - times.length,
  }
}

/** Call inside a write. */
export function putAttempt({ attempts, attemptOf }: Tables, { changeRequest, applyingSince, removed }: Write): void {
  const { id, project } = changeRequest
  const before = attemptOf.get(id)
  if (before !== undefined) attempts.removeSync([before, id])
  attemptOf.removeSync(id)
  if (applyingSince === null || removed) return
  attempts.putSync([applyingSince, id], project)
  attemptOf.putSync(id, applyingSince)
}

/** Earliest first; reads only the requested items. */
export function interruptedPage(
  { attempts }: Tables,
  before: string,
  { after, limit }: InterruptedPage,
): InterruptedApply[] {
  const start = after === undefined ? [''] : [after.applyingSince, after.id]
  const found = attempts.getRange({ start, exclusiveStart: true, end: [before, last], limit })
  return [...found].map(({ key: [applyingSince, id], value: project }) => ({ project, id, applyingSince }))
}
