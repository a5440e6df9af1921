import { badData, malformedRequest } from '../../core/problems'
import { lenientNumber, readParameters } from '../query-parameter'
import type { QueryReader } from '../query-reader'
import { eventId } from './event-id'

/** Where a page starts: `before` returns older events, `after` newer ones. */
type Cursor = { readonly before: number } | { readonly after: number }

/** Search parameters whose malformed values are ignored (contract 9.4). */
export const pageParameters = {
  offset: lenientNumber('The number of matches to skip.', { minimum: 0, default: 0 }),
  limit: lenientNumber('The maximum number of matches to return.', { minimum: 1, maximum: 1000, default: 50 }),
}

export const cursorParameters = {
  before: eventId('Return only events below this id.'),
  after: eventId('Return only events above this id.'),
}

/**
 * Reads the requested page of a search.
 *
 * @throws BadDataError when `before` or `after` is not an id, or when both are given
 */
export function parseEventPage(query: QueryReader) {
  return { cursor: parseCursor(query), ...readParameters(pageParameters, query) }
}

/**
 * Reads the id that a stream continues from.
 *
 * @throws BadDataError when `after` is not an id, and for `before`: a stream has no end
 */
export function parseStreamStart(query: QueryReader): number | undefined {
  const cursor = parseCursor(query)
  if (cursor === undefined || 'after' in cursor) return cursor?.after
  throw malformedRequest('before cannot be used with text/event-stream', { path: '/query/before' })
}

function parseCursor(query: QueryReader): Cursor | undefined {
  const { before, after } = cursorParameters
  if (query.one('before') !== undefined && query.one('after') !== undefined) {
    throw badData([{ path: '/query/after', message: 'send either before or after, not both' }])
  }
  const [upper, lower] = [before.read(query, 'before'), after.read(query, 'after')]
  if (upper !== undefined) return { before: upper }
  return lower === undefined ? undefined : { after: lower }
}
