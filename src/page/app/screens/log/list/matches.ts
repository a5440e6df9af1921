import type { EventView } from '../../../../../generated'
import { type Day, dayIn } from '../../../core/tools/local-time'
import type { ShownFilter, ValueField } from '../search/filter'
import { spanOf } from '../search/zone'

/** What of a live event can be compared with a filter here. */
export type LiveEvent = Pick<EventView, 'createdAt' | 'project' | 'environment' | 'featureName' | 'createdByUserId'> & {
  readonly type: string
}

/** What of a live event each filter is compared with; only the server knows the others. */
const known = {
  project: ({ project }) => project,
  environment: ({ environment }) => environment,
  type: ({ type }) => type,
  feature: ({ featureName }) => featureName,
  createdBy: ({ createdByUserId }) => createdByUserId,
} satisfies Partial<Record<ValueField, (event: LiveEvent) => unknown>>

const isKnown = (field: string): field is keyof typeof known => Object.hasOwn(known, field)

/** Whether an event may match a filter, apart from its days. True where only the server knows. */
export function mayMatch(event: LiveEvent, { values }: ShownFilter): boolean {
  // A request that has a change of a flag is found by it too.
  const isOfRequest = event.type.startsWith('change-')
  return Object.entries(values).every(
    ([field, wanted]) =>
      !isKnown(field) || (field === 'feature' && isOfRequest) || wanted.includes(String(known[field](event))),
  )
}

/** Whether an event lies behind the last day of a filter and matches the other filters that are known here. */
export function isAfterDays(event: LiveEvent, filter: ShownFilter): boolean {
  const { query, values, to } = filter
  if (to === undefined || query !== undefined || !Object.keys(values).every(isKnown) || !mayMatch(event, filter)) {
    return false
  }
  return Date.parse(event.createdAt) >= spanOf(filter).to
}

/** New events behind the days of a filter, from the first to the last day. */
export interface Outside {
  readonly count: number
  readonly first: Day
  readonly last: Day
}

/** With further ones, oldest first. */
export function withOutside(before: Outside | undefined, events: readonly LiveEvent[], zone: string): Outside {
  const days = events.map(({ createdAt }) => dayIn(zone, createdAt))
  const { count = 0, first = days[0] ?? '', last = first } = before ?? {}
  return { count: count + days.length, first, last: days.at(-1) ?? last }
}
