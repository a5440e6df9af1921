import { malformedRequest } from '../../core/problems'
import { type QueryParameter, singleParameter } from '../query-parameter'

/** The id of an event; 0 is below all of them. */
export function eventId(description: string): QueryParameter<number | undefined> {
  return singleParameter(
    description,
    { type: 'integer', minimum: 0 },
    { expected: 'must be the id of an event', absent: undefined, parse: parseEventId },
  )
}

/** Reads the header `Last-Event-ID`; empty counts as absent. @throws BadDataError when it is not an id */
export function parseLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const id = parseEventId(header)
  if (id !== undefined) return id
  throw malformedRequest('The header Last-Event-ID must be the id of an event.')
}

function parseEventId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}
