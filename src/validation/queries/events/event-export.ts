import { badData } from '../../core/problems'
import { describeParameters, oneOf, readParameters } from '../query-parameter'
import type { QueryReader } from '../query-reader'
import { eventId } from './event-id'

/** The parameters of an export, in addition to the filter. */
export const exportTable = {
  order: oneOf('The order of an export: `desc` is newest first, `asc` is oldest first.', ['asc', 'desc'], 'desc'),
  before: eventId('In an export, return only events below this id.'),
  after: eventId('In an export, return only events above this id.'),
}

export const exportParameters = describeParameters(exportTable)

/**
 * Reads which part of the log is exported, and in which order.
 *
 * @throws BadDataError for a malformed parameter, and when no id lies between the bounds
 */
export function parseEventRange(query: QueryReader) {
  const { order, after = 0, before = Number.MAX_SAFE_INTEGER } = readParameters(exportTable, query)
  if (after < before) return { oldestFirst: order === 'asc', after, before }
  throw badData([{ path: '/query/after', message: 'must be less than before' }])
}
