import { type EventFilter, isInstant } from '../../../ports/storage/events'

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

/** A part of a filter. An event matches if it has one of the terms, or one in the range, or one of the ids. */
export interface TermGroup {
  readonly kind: TermKind | 'history'
  readonly terms: readonly string[]
  readonly range?: TermRange
  readonly ids?: readonly number[]
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
const afterLastDay = '9999-12-32'

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
 * @param partIds the ids of the events in {@link partialDays}.
 */
export function termGroups(filter: EventFilter, requests: readonly number[], partIds: readonly number[]): TermGroup[] {
  const groups: TermGroup[] = lists.flatMap(([kind, name]) => {
    const values: readonly (string | number)[] | undefined = filter[name]
    return values === undefined ? [] : { kind, terms: [...new Set(values)].map((value) => term(kind, value)) }
  })
  const { from, to, history } = filter
  if (from !== undefined || to !== undefined) {
    const { first, last } = wholeDays(filter)
    const range = first <= last && { range: { first: term('day', first), last: term('day', last) } }
    groups.push({ kind: 'day', terms: [], ...range, ...(partIds.length > 0 && { ids: partIds }) })
  }
  if (history !== undefined) {
    const named = history.features.map((name) => term('feature', name))
    groups.push({ kind: 'history', terms: [...named, ...requests.map((id) => term('request', id))] })
  }
  return groups
}

/** A day of which a filter has only a part, because an instant of the filter is in it. */
export interface PartialDay extends Pick<EventFilter, 'from' | 'to'> {
  readonly day: string
}

/** The index has days. The events of these days must be compared with the instants. */
export function partialDays({ from, to }: EventFilter): PartialDay[] {
  const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const days = new Set(Object.values(bounds).filter(isWithinDay).map(dayOf))
  return [...days].map((day) => ({ day, ...bounds }))
}

function wholeDays({ from = '', to = lastDay }: EventFilter): TermRange {
  return {
    first: isWithinDay(from) ? dayAfter(dayOf(from)) : dayOf(from),
    last: isInstant(to) ? dayBefore(dayOf(to)) : to,
  }
}

function isWithinDay(bound: string): boolean {
  return isInstant(bound) && !bound.endsWith('T00:00:00.000Z')
}

function dayOf(bound: string): string {
  return bound.slice(0, lastDay.length)
}

const dayMs = 86_400_000

function dayAfter(day: string): string {
  // A year of five digits would begin with a sign, and sort before all days.
  return day === lastDay ? afterLastDay : dayOf(new Date(Date.parse(day) + dayMs).toISOString())
}

function dayBefore(day: string): string {
  return dayOf(new Date(Date.parse(day) - dayMs).toISOString())
}
