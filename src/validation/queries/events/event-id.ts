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

/**
 * Reads the header `Last-Event-ID`: the id of an event, and its fingerprint if it has one. Empty counts as absent.
 *
 * @throws BadDataError when it is neither
 */
export function parseLastEventId(
  header: string | undefined,
): { readonly id: number; readonly fingerprint: string } | undefined {
  if (header === undefined || header === '') return undefined
  const [, number = '', fingerprint = ''] = lastEventIdPattern.exec(header) ?? []
  const id = parseEventId(number)
  if (id !== undefined) return { id, fingerprint }
  throw malformedRequest('The header Last-Event-ID must be the id of an event in the stream, or a number.')
}

/** The id of an event, and its fingerprint. */
const lastEventIdPattern = /^(\d{1,16})(?:-([0-9a-f]{8}))?$/

function parseEventId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}
