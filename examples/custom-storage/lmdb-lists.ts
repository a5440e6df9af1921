import type { ChangeRequestFilter, StoredChangeRequest, Write } from 'express-change-requests'
import { everywhere, type Listed, last, type Place, part, type Tables } from './lmdb-tables'

export function putListed({ lists }: Tables, { changeRequest, subjects, removed }: Write): void {
  const { id, project, environment, state, createdBy, createdAt } = changeRequest
  const listed: Listed = { project, environment, state, createdBy: createdBy.id, subjects }
  for (const place of [everywhere, part(project)] as const) {
    if (removed) lists.removeSync([place, createdAt, id])
    else lists.putSync([place, createdAt, id], listed)
  }
}

/** Newest first; no more is read than is asked for. */
export function* search(tables: Tables, filter: ChangeRequestFilter): Generator<Listed & { readonly id: number }> {
  const [only, another] = filter.projects ?? []
  const place = only !== undefined && another === undefined ? part(only) : everywhere
  for (const { key, value } of listed(tables, place)) if (fits(value, filter)) yield { ...value, id: key[2] }
}

export function pageOf(
  tables: Tables,
  filter: ChangeRequestFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): StoredChangeRequest[] {
  const page: StoredChangeRequest[] = []
  let place = 0
  for (const { id } of search(tables, filter)) {
    if (place >= offset + limit) break
    const found = place >= offset ? tables.changeRequests.get(id) : undefined
    if (found !== undefined) page.push(found)
    place += 1
  }
  return page
}

/** One look a project, however much it has. */
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

function listed({ lists }: Tables, place: Place) {
  return lists.getRange({ start: [place, last], end: [place], reverse: true })
}

function fits(row: Listed, { projects, states, createdBy, subject, viewer }: ChangeRequestFilter): boolean {
  if (projects !== undefined && !projects.includes(row.project)) return false
  if (states !== undefined && !states.includes(row.state)) return false
  if (createdBy !== undefined && row.createdBy !== createdBy) return false
  if (subject !== undefined && !row.subjects.includes(subject)) return false
  return row.state !== 'Draft' || row.createdBy === viewer
}
