import type { EventFilter } from 'express-change-requests'
import { type Columns, everywhere, type Tables } from './lmdb-tables'

/** Everything but the text. */
export function fits(tables: Tables, filter: EventFilter, id: number, event: Columns): boolean {
  const { projects, features, ids, types, environments, createdBy, groupIds, from, to, history } = filter
  return (
    isIn(event.project, projects) &&
    isIn(event.featureName, features) &&
    isIn(id, ids) &&
    isIn(event.type, types) &&
    isIn(event.environment, environments) &&
    isIn(event.createdByUserId, createdBy) &&
    isIn(event.groupId, groupIds) &&
    (from === undefined || event.createdAt >= from) &&
    (to === undefined || event.createdAt < to) &&
    (history === undefined ||
      isIn(event.featureName, history.features) ||
      subjectsOf(tables, id, event).some((subject) => history.subjects.includes(subject)))
  )
}

function isIn<Value>(value: Value | null, list: readonly Value[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value))
}

/** What the change request that the event is about can be found by now. */
function subjectsOf({ changeRequests, events, lists }: Tables, id: number, { type }: Columns): readonly string[] {
  if (!type.startsWith('change-')) return []
  const { data, preData } = JSON.parse(String(events.get(id)))
  const named: unknown = data?.changeRequestId ?? preData?.changeRequestId
  const about = Number.isSafeInteger(named) ? changeRequests.get(named as number)?.changeRequest : undefined
  return (about && lists.get([everywhere, about.createdAt, about.id])?.subjects) ?? []
}

/** In what the event carries, as JSON, and nowhere else in it. */
export function hasText(json: string, text: string | undefined): boolean {
  if (text === undefined) return true
  const { data, preData, tags } = JSON.parse(json)
  return [data, preData, tags].some((part) => part != null && small(JSON.stringify(part)).includes(small(text)))
}

/** A to Z alone: other letters have no case here. */
function small(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
