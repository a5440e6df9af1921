import type {
  ChangeRequestFilter,
  ChangeRequestGroup,
  ChangeRequestStorage,
  ListCursor,
  OpenKey,
  ReviewCase,
  ReviewCursor,
  ReviewSearch,
  State,
  Storage,
  StoredChangeRequest,
  SummaryPage,
  UpdatedFilter,
  Write,
} from 'express-change-requests'
import type { Key } from 'lmdb'
import { append } from './lmdb-events'
import { putRecord, settingsPlace } from './lmdb-settings'
import { isIn, last, part, type Row, type Store } from './lmdb-store'

/** Change requests. Lists walk over all of them, the newest first: with many, keep an index for each part of the filter. */
export function lmdbChangeRequests(store: Store): ChangeRequestStorage & Pick<Storage, 'gauges'> {
  const { read, write, rows, documents, places, events, settings, numbers } = store

  function stored({ version, summary: { id } }: Row): StoredChangeRequest {
    return { version, changeRequest: documents.get(id) as StoredChangeRequest['changeRequest'] }
  }

  /** It is removed only with all that are older. */
  function lastEventOf(changeRequestId: number): number {
    const id = places.get(['logged', changeRequestId]) ?? 0
    return events.doesExist(id) ? id : 0
  }

  /** Call inside a write. */
  function allocateIds(kind: 'changeRequest' | 'change', count: number): number[] {
    const lastId = numbers.get(kind) ?? 0
    numbers.putSync(kind, lastId + count)
    return Array.from({ length: count }, (_, index) => lastId + 1 + index)
  }

  /** The rows between two places of a kind, the earliest first. */
  function between(kind: 'due' | 'applying', after: readonly Key[], before: Key, limit?: number): Row[] {
    const range = { start: [kind, ...after], exclusiveStart: true, end: [kind, before, last], ...(limit && { limit }) }
    return [...places.getRange(range)].map(({ value: id }) => rows.get(id) as Row)
  }

  return {
    nextIds: (kind, count) => write(() => allocateIds(kind, count)),
    loadProposal: (key, changeIds) =>
      (changeIds === 0 ? read : write)(() => {
        const open = rows.get(places.get(openPlace(key)) ?? 0)
        const found = { open: open && stored(open), settings: settings.get(settingsPlace(key)) }
        if (changeIds === 0) return { ...found, changeRequestId: 0, changeIds: [] }
        const [changeRequestId = 0] = open === undefined ? allocateIds('changeRequest', 1) : []
        return { ...found, changeRequestId, changeIds: allocateIds('change', changeIds) }
      }),
    find: ({ project }, id) =>
      read(() => {
        const row = rows.get(id)
        return row === undefined || (project ?? row.summary.project) !== row.summary.project ? undefined : stored(row)
      }),
    list: (filter, page) => read(() => pageOf(search(store, filter, page.after), page, 'document', stored, toCursor)),
    listById: (filter, { after, ...page }) =>
      read(() => {
        const left = rows.getRange({ start: after, exclusiveStart: true }).map(({ value }) => value)
        const found = left.filter((row) => isUpdatedIn(row, filter))
        const toLogged = (row: Row) => ({ ...stored(row), lastEventId: lastEventOf(row.summary.id) })
        return pageOf(found, page, 'document', toLogged, ({ summary: { id } }) => id)
      }),
    summaries: (filter, page) =>
      read(() => pageOf(search(store, filter, page.after), page, 'summary', ({ summary }) => summary, toCursor)),
    countByState: (filter) =>
      read(() => {
        const counts: { [state in State]?: number } = {}
        for (const { summary } of search(store, filter)) counts[summary.state] = (counts[summary.state] ?? 0) + 1
        return counts
      }),
    gauges: () =>
      read(() => {
        const summaries = [...search(store, { viewer: null })].map(({ summary }) => summary)
        const changeRequests = summaries.flatMap(({ project, environment, state }) =>
          state === 'In review' || state === 'Approved' || state === 'Scheduled'
            ? [{ project, environment, state, count: 1 }]
            : [],
        )
        // Without `consumers`, this storage has none.
        return { changeRequests, consumers: [] }
      }),
    countGroups: (filter) =>
      read(() => {
        const groups = new Map<string, ChangeRequestGroup>()
        for (const { summary } of search(store, filter)) {
          const { project, environment, scope, state, createdBy, reviewedBy } = summary
          const reviewed = filter.viewer !== null && reviewedBy.includes(filter.viewer)
          const fields = { project, environment, scope, state, own: createdBy.id === filter.viewer, reviewed }
          const key = JSON.stringify(fields)
          groups.set(key, { ...fields, count: (groups.get(key)?.count ?? 0) + 1 })
        }
        return [...groups.values()]
      }),
    reviews: (search) =>
      read(() => {
        const fitting = [...rows.getRange({})].map(({ value }) => value).filter((row) => fitsSearch(row, search))
        const matching = (cases: readonly ReviewCase[]) =>
          fitting.filter((row) => cases.some((one) => fitsCase(row, one)))
        const { after, order, counts } = search
        const place = ({ summary }: Row): ReviewCursor => {
          return { at: order === 'newest' ? summary.createdAt : summary.stateSince, id: summary.id }
        }
        const compare = (one: ReviewCursor, other: ReviewCursor) =>
          (order === 'waiting' ? 1 : -1) * (one.at === other.at ? one.id - other.id : one.at < other.at ? -1 : 1)
        const left = matching(search.cases)
          .filter((row) => after === undefined || compare(place(row), after) > 0)
          .sort((one, other) => compare(place(one), place(other)))
        const totals = counts.of.map((cases) => Math.min(matching(cases).length, counts.upTo))
        return { ...pageOf(left, search, 'document', stored, place), counts: totals }
      }),
    due: ({ before, after, limit }) =>
      read(() => {
        const start = after === undefined ? [] : [after.dueAt, after.scheduledAt, after.id]
        const found = between('due', start, before ?? last, limit)
        return found.map(({ summary, dueAt }) => ({ ...summary, dueAt: dueAt as string }))
      }),
    dueTimes: (at) =>
      read(() => {
        const all = between('due', [], last)
        const times = all.flatMap(({ summary, dueAt }) => (summary.held === undefined ? [dueAt as string] : []))
        const count = times.filter((dueAt) => dueAt <= at).length
        const first = count === 0 ? null : (times[0] ?? null)
        return { due: count, first, next: times[count] ?? null, held: all.length - times.length }
      }),
    hold: (change) =>
      write(() => {
        if ('ids' in change) {
          for (const row of change.ids.map((id) => rows.get(id))) {
            if (row?.summary.held !== undefined) putRow(store, { ...row, dueAt: change.dueAt })
          }
          return
        }
        const { changeRequest, summary, version, dueAt } = change
        const row = rows.get(changeRequest.id)
        if (row?.version !== version) return
        documents.putSync(changeRequest.id, changeRequest)
        putRow(store, { ...row, summary, bytes: sizesOf(change), dueAt: dueAt ?? row.dueAt })
      }),
    interrupted: (before, { after, limit }) =>
      read(() => {
        const start = after === undefined ? [] : [after.applyingSince, after.id]
        return between('applying', start, before, limit).map(({ summary: { project, id }, applyingSince }) => {
          return { project, id, applyingSince: applyingSince as string }
        })
      }),
    projects: () =>
      read(() => {
        const ofRows = [...rows.getRange({})].map(({ value }) => value.summary.project)
        return [...new Set([...ofRows, ...[...events.getRange({})].flatMap(({ value }) => value.project ?? [])])]
      }),
    commit: (change) => write(() => commit(store, change)),
  }
}

/** Returns false if another write was first: then the transaction around it is rolled back. */
function commit(store: Store, write: Write): boolean {
  const { changeRequest, expectedVersion, removed, events, idempotency, afterReview = false } = write
  const { id, updatedAt } = changeRequest
  const before = store.rows.get(id)
  if ((before?.version ?? 0) !== expectedVersion || (removed && before === undefined)) return false
  const holder = store.places.get(openPlace({ ...changeRequest, userId: changeRequest.createdBy.id }))
  if (write.open && !removed && holder !== undefined && holder !== id) return false
  if (idempotency !== undefined && !putRecord(store, idempotency)) return false
  const { summary, version, open, subjects, searchText, dueAt, applyingSince } = write
  const fields = { summary, version, open, subjects, searchText, dueAt, applyingSince, afterReview, updatedAt }
  putRow(store, { ...fields, bytes: sizesOf(write) }, removed)
  if (removed) store.documents.removeSync(id)
  else store.documents.putSync(id, changeRequest)
  return append(store, events)
}

function sizesOf({ changeRequest, summary }: Pick<Write, 'changeRequest' | 'summary'>): Row['bytes'] {
  const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value))
  return { document: sizeOf(changeRequest), summary: sizeOf(summary) }
}

/** Replaces the row, and the places of the row before. */
function putRow({ rows, places }: Store, row: Row, removed = false): void {
  const { id } = row.summary
  const before = rows.get(id)
  for (const place of before === undefined ? [] : placesOf(before)) places.removeSync(place)
  if (removed) return void rows.removeSync(id)
  rows.putSync(id, row)
  for (const place of placesOf(row)) places.putSync(place, id)
}

function placesOf({ summary, open, dueAt, applyingSince }: Row): Key[][] {
  const { id, createdAt, createdBy, schedule } = summary
  return [
    ['listed', createdAt, id],
    ...(open ? [openPlace({ ...summary, userId: createdBy.id })] : []),
    ...(dueAt === null ? [] : [['due', dueAt, schedule?.scheduledAt ?? dueAt, id]]),
    ...(applyingSince === null ? [] : [['applying', applyingSince, id]]),
  ]
}

function openPlace({ project, environment, userId }: OpenKey): Key[] {
  return ['open', part(project), part(environment), userId]
}

/** Walks over all change requests after the cursor, the newest first. */
function* search({ places, rows }: Store, filter: ChangeRequestFilter, after?: ListCursor): Generator<Row> {
  const start = after === undefined ? ['listed', last] : ['listed', after.createdAt, after.id]
  for (const { value: id } of places.getRange({ start, exclusiveStart: true, end: ['listed'], reverse: true })) {
    const row = rows.get(id)
    if (row !== undefined && matches(row, filter)) yield row
  }
}

function matches({ summary, subjects, afterReview }: Row, filter: ChangeRequestFilter): boolean {
  const { project, state, createdBy } = summary
  return (
    isIn(project, filter.projects) &&
    isIn(state, filter.states) &&
    (filter.createdBy ?? createdBy.id) === createdBy.id &&
    (filter.subjects?.some((subject) => subjects.includes(subject)) ?? true) &&
    (afterReview || !filter.afterReview) &&
    (state !== 'Draft' || createdBy.id === filter.viewer)
  )
}

/** `updatedAt` is stored in the row, and the rows are in the order of their ids: no document must be read. */
function isUpdatedIn({ summary: { project, state }, updatedAt }: Row, filter: UpdatedFilter): boolean {
  const { projects, updatedFrom = updatedAt, updatedBefore } = filter
  if (state === 'Draft' || !isIn(project, projects)) return false
  return updatedAt >= updatedFrom && (updatedBefore === undefined || updatedAt < updatedBefore)
}

function toCursor({ summary: { createdAt, id } }: Row): ListCursor {
  return { createdAt, id }
}

/** A page ends after `limit` rows, or before the row that would exceed the bytes. */
function pageOf<Item, Cursor>(
  rows: Iterable<Row>,
  { offset = 0, limit, bytes }: Omit<SummaryPage, 'after'>,
  size: keyof Row['bytes'],
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => Cursor,
) {
  const found: Row[] = []
  let [index, total, isLast] = [0, 0, true]
  for (const row of rows) {
    index += 1
    if (index <= offset) continue
    total += row.bytes[size]
    isLast = found.length < limit && (found.length === 0 || total <= bytes)
    if (!isLast) break
    found.push(row)
  }
  return { items: found.map(toItem), next: isLast ? null : toCursor(found.at(-1) as Row) }
}

function fitsSearch({ summary, subjects, searchText }: Row, wanted: ReviewSearch): boolean {
  const { createdBy, createdFrom, createdBefore, scheduledFrom, scheduledBefore, query } = wanted
  const scheduledAt = summary.schedule?.scheduledAt
  if (scheduledFrom !== undefined && (scheduledAt === undefined || scheduledAt < scheduledFrom)) return false
  if (scheduledBefore !== undefined && (scheduledAt === undefined || scheduledAt >= scheduledBefore)) return false
  if (createdBy !== undefined && summary.createdBy.id !== createdBy) return false
  if (createdFrom !== undefined && summary.createdAt < createdFrom) return false
  if (createdBefore !== undefined && summary.createdAt >= createdBefore) return false
  if (wanted.subjects?.every((subject) => subjects.includes(subject)) === false) return false
  return query === undefined || summary.id === query.id || searchText.includes(query.part)
}

function fitsCase({ summary, subjects, afterReview }: Row, wanted: ReviewCase): boolean {
  const { by, notBy, subject, withoutSubject } = wanted
  const author = summary.createdBy.id
  if ((by ?? author) !== author || notBy === author || (wanted.afterReview && !afterReview)) return false
  if (subject !== undefined && !hasSubject(subjects, subject)) return false
  if (withoutSubject !== undefined && hasSubject(subjects, withoutSubject)) return false
  const fields = ['project', 'environment', 'scope', 'state'] as const
  return wanted.groups.some((group) => fields.every((field) => group[field] === summary[field]))
}

function hasSubject(subjects: readonly string[], wanted: NonNullable<ReviewCase['subject']>): boolean {
  if (typeof wanted === 'string') return subjects.includes(wanted)
  return subjects.some((subject) => subject >= wanted.from && subject <= wanted.to)
}
