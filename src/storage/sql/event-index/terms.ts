import type { EventFilter } from '../../../ports/storage/events'

/** The columns of an event by which it can be found. */
export interface IndexedEvent {
  readonly id: number
  /** UTC, ISO 8601. */
  readonly createdAt: string
  readonly type: string
  readonly project: string | null
  readonly environment: string | null
  readonly feature: string | null
  readonly creator: number | null
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string
  readonly request: number | null
}

/** One event has at most one value of each kind. */
export type TermKind = Exclude<keyof IndexedEvent, 'id' | 'createdAt'>

const kinds: readonly TermKind[] = ['type', 'project', 'environment', 'feature', 'creator', 'day', 'request']

/** A key of the index, such as `type:feature-updated`. */
export function term(kind: TermKind, value: string | number): string {
  return `${kind}:${value}`
}

/** All terms of an event. */
export function termsOf(event: IndexedEvent): string[] {
  return kinds.flatMap((kind) => {
    const value = event[kind]
    return value === null ? [] : term(kind, value)
  })
}

/** Days from the first to the last, both included. */
export interface TermRange {
  readonly first: string
  readonly last: string
}

/** A part of a filter. An event matches if it has one of the terms, or one in the range. */
export interface TermGroup {
  readonly kind: TermKind | 'history'
  readonly terms: readonly string[]
  readonly range?: TermRange
}

const lists = [
  ['creator', 'createdBy'],
  ['feature', 'features'],
  ['type', 'types'],
  ['environment', 'environments'],
  ['request', 'changeRequestIds'],
  ['project', 'projects'],
] as const satisfies readonly (readonly [TermKind, keyof EventFilter])[]

/** Whether the index has terms for a list of a filter. */
export function isIndexed(list: string): boolean {
  return lists.some(([, name]) => name === list)
}

/** Later than every other day. */
const lastDay = '9999-12-31'

/** All events: each has a day. */
export const everyDay: TermGroup = {
  kind: 'day',
  terms: [],
  range: { first: term('day', ''), last: term('day', lastDay) },
}

/**
 * The parts of a filter that the index covers. An event must match all of them.
 *
 * @param requests the ids of the change requests of {@link EventFilter.history}.
 */
export function termGroups(filter: EventFilter, requests: readonly number[]): TermGroup[] {
  const groups: TermGroup[] = lists.flatMap(([kind, name]) => {
    const values: readonly (string | number)[] | undefined = filter[name]
    return values === undefined ? [] : { kind, terms: [...new Set(values)].map((value) => term(kind, value)) }
  })
  const { from, to, history } = filter
  if (from !== undefined || to !== undefined) {
    groups.push({ kind: 'day', terms: [], range: { first: term('day', from ?? ''), last: term('day', to ?? lastDay) } })
  }
  if (history !== undefined) {
    const named = history.features.map((name) => term('feature', name))
    groups.push({ kind: 'history', terms: [...named, ...requests.map((id) => term('request', id))] })
  }
  return groups
}
