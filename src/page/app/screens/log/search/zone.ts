import type { EventQuery } from '../../../../../client'
import { addDays, startOf } from '../../../core/tools/local-time'
import { type ShownFilter, toEventQuery, utc } from './filter'

/** From the first instant to the one after the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The time that the days of a filter are, in their zone; it has no end, or no beginning, where the filter has none. */
export function spanOf({ from, to, zone = utc }: ShownFilter): Span {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : startOf(from, zone),
    to: to === undefined ? Number.POSITIVE_INFINITY : startOf(addDays(to, 1), zone),
  }
}

/** The filter as the client takes it, with the instants of its days. */
export function toTimedQuery(filter: ShownFilter): EventQuery {
  const { from, to } = spanOf(filter)
  return {
    ...toEventQuery(filter),
    ...(Number.isFinite(from) && { from: new Date(from).toISOString() }),
    ...(Number.isFinite(to) && { to: new Date(to).toISOString() }),
  }
}
