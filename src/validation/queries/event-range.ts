import { badData, echo } from '../core/problems'
import { parseCursor } from './events'

/** The parameters of an export as they stand in the address; absent ones undefined. */
export type EventRangeValues = { readonly [parameter in 'order' | 'after' | 'before']: string | undefined }

/**
 * Reads what part of the log is exported, in which order. Newest first unless said otherwise, as the lists are.
 *
 * @throws BadDataError for another order, for what is no id, and for bounds that leave nothing between them
 */
export function parseEventRange({ order = 'desc', after, before }: EventRangeValues) {
  if (order !== 'asc' && order !== 'desc') {
    throw badData([{ path: '/query/order', message: `must be asc or desc, got ${echo(order)}` }])
  }
  const range = {
    oldestFirst: order === 'asc',
    after: 0,
    before: Number.MAX_SAFE_INTEGER,
    ...parseCursor(undefined, after),
    ...parseCursor(before, undefined),
  }
  if (range.after < range.before) return range
  throw badData([{ path: '/query/after', message: 'must be less than before' }])
}
