import {
  describeParameters,
  oneOf,
  type QueryParameter,
  readParameters,
  singleParameter,
  wholeNumber,
} from './query-parameter'
import { parseDigits, type QueryReader } from './query-reader'

const table = {
  createdBy: user('`IS:` and the id of the author.'),
  requestedApproverId: user('`IS:` and the id of a requested approver.'),
  state: oneOf('Return only open or only closed change requests.', ['IS:open', 'IS:closed'], null),
  afterReview: oneOf(
    'Return only change requests that were applied in an emergency and need acknowledgement.',
    ['IS:open'],
    null,
  ),
  offset: wholeNumber('The number of matches to skip.', { minimum: 0, default: 0 }),
  limit: wholeNumber('The maximum number of matches to return.', { minimum: 1, maximum: 1000, default: 50 }),
}

export const changeRequestSearchParameters = describeParameters(table)

/** The search over all projects (contract 3.8). @throws BadDataError with the first parameter that is malformed */
export function parseChangeRequestSearch(query: QueryReader) {
  const { state, afterReview, ...rest } = readParameters(table, query)
  const which = state && (state === 'IS:open' ? ('open' as const) : ('closed' as const))
  return { ...rest, afterReview: afterReview !== null, state: which }
}

function user(description: string): QueryParameter<number | null> {
  return singleParameter({
    description,
    expected: 'must be IS: and the id of a user',
    absent: null,
    parse: (text) => (text.startsWith('IS:') ? parseDigits(text.slice(3)) : undefined),
  })
}
