import { badData, malformedRequest } from '../../core/problems'
import {
  describeParameters,
  lenientNumber,
  oneOf,
  type QueryParameter,
  readParameters,
  singleParameter,
} from '../query-parameter'
import type { QueryReader } from '../query-reader'

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

/** @throws BadDataError when `before` or `after` is not an id, or when both are given */
export function parseEventPage(query: QueryReader) {
  return { cursor: parseCursor(query), ...readParameters(pageParameters, query) }
}

/** @throws BadDataError when `after` is not an id, and for `before`: a stream has no end */
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

export function eventId(description: string): QueryParameter<number | undefined> {
  const schema = { type: 'integer', minimum: 0 }
  return singleParameter({ description, schema, expected: 'must be the id of an event', parse: parseEventId })
}

/** The id of an event, and its fingerprint or ''. An empty header counts as absent. @throws BadDataError */
export function parseLastEventId(header: string | undefined) {
  if (header === undefined || header === '') return undefined
  const [, number = '', fingerprint = ''] = lastEventIdPattern.exec(header) ?? []
  const id = parseEventId(number)
  if (id !== undefined) return { id, fingerprint }
  throw malformedRequest('The header Last-Event-ID must be the id of an event in the stream, or a number.')
}

const lastEventIdPattern = /^(\d{1,16})(?:-([0-9a-f]{8}))?$/

function parseEventId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

/** The parameters of an export, in addition to the filter. */
export const exportTable = {
  order: oneOf('The order of an export: `desc` is newest first, `asc` is oldest first.', ['asc', 'desc'], 'desc'),
  before: eventId('In an export, return only events below this id.'),
  after: eventId('In an export, return only events above this id.'),
}

export const exportParameters = describeParameters(exportTable)

/** @throws BadDataError for a malformed parameter, and when no id lies between the bounds */
export function parseEventRange(query: QueryReader) {
  const { order, after = 0, before = Number.MAX_SAFE_INTEGER } = readParameters(exportTable, query)
  if (after < before) return { oldestFirst: order === 'asc', after, before }
  throw badData([{ path: '/query/after', message: 'must be less than before' }])
}
