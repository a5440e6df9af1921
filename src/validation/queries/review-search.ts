import { lastInstant } from '../../domain/instants'
import { states } from '../../generated/lists'
import { type FeatureNames, featureNameRules, isName, placeNames } from '../core/names'
import { badData, problemOfName } from '../core/problems'
import { parseInstant } from './events/event-days'
import {
  describeParameters,
  oneOf,
  type QueryParameter,
  readParameters,
  singleParameter,
  text,
  wholeNumber,
} from './query-parameter'
import { parseDigits, type QueryReader } from './query-reader'

const next = { description: 'The `next` of the previous page.', expected: 'must be the value of next in a page' }

const table = {
  needs: oneOf<'me' | 'mine' | 'all', 'all'>(
    'Return change requests that need the caller (`me`), those that the caller created (`mine`), or all of them (`all`).',
    ['me', 'mine', 'all'],
    'all',
  ),
  project: name('Return only change requests of this project.'),
  environment: name('Return only change requests of this environment.'),
  state: oneOf('Return only change requests in this state.', states, undefined),
  author: singleParameter({
    description: 'Return only change requests of this author, by user id.',
    schema: { type: 'integer' },
    expected: 'must be a user id',
    parse: parseDigits,
  }),
  feature: text('Return only change requests that change this flag.'),
  requested: oneOf('Return only change requests for which the caller is a requested approver.', ['me'], undefined),
  afterReview: oneOf('Return only change requests that need acknowledgement.', ['open'], undefined),
  check: text(
    'Return only change requests in review, approved or scheduled that this check matches and that have no report of it for ' +
      'their current content. A page can be shorter than `limit`; `totals` is null.',
  ),
  query: text('A text to find in the title or in the name of a flag or segment, or the id.'),
  createdFrom: instant('Return only change requests that were created at this instant or later.'),
  createdTo: instant('Return only change requests that were created before this instant.'),
  scheduledFrom: instant(
    'Return only change requests that are scheduled for this instant or later, whatever the status.',
  ),
  scheduledTo: instant(
    'Return only change requests that are scheduled for a time before this instant, whatever the status.',
  ),
  order: oneOf<'newest' | 'waiting' | 'recent', 'newest'>(
    'The newest first, those first that have been in their state the longest, or those whose state changed last.',
    ['newest', 'waiting', 'recent'],
    'newest',
  ),
  cursor: singleParameter({ ...next, parse: parseCursor }),
  limit: wholeNumber('The maximum number of change requests to return.', { minimum: 1, maximum: 100, default: 50 }),
}

export const reviewSearchParameters = describeParameters(table)

export function parseReviewSearch(query: QueryReader, featureNames: FeatureNames = 'url') {
  const { cursor: after, ...rest } = readParameters(table, query)
  const { feature } = rest
  const rule = featureNameRules[featureNames]
  if (feature !== undefined && !isName(rule, feature)) {
    throw badData([{ path: '/query/feature', message: problemOfName(rule, feature) }])
  }
  return { ...rest, after }
}

const placeTable = {
  project: name('Return the permissions of the caller in this project, too.'),
  environment: name('Return the permissions of the caller in this environment, too.'),
}

export const placeParameters = describeParameters(placeTable)

/** Reads the project and environment whose permissions are requested. @throws BadDataError for a malformed name */
export function parsePlace(query: QueryReader) {
  return readParameters(placeTable, query)
}

const timelineTable = { cursor: singleParameter({ ...next, absent: 0, parse: parseDigits }) }

export const timelineParameters = describeParameters(timelineTable)

/** The id of the event that a timeline continues from. @throws BadDataError when it is malformed */
export function parseTimelineStart(query: QueryReader): number {
  return readParameters(timelineTable, query).cursor
}

function name(description: string): QueryParameter<string | undefined> {
  return singleParameter({
    description,
    expected: placeNames.expected,
    parse: (given) => (isName(placeNames, given) ? given : undefined),
  })
}

function instant(description: string): QueryParameter<string | undefined> {
  return singleParameter({
    description,
    schema: { type: 'string', format: 'date-time' },
    expected: 'must be an instant as yyyy-MM-ddTHH:mm:ssZ',
    parse: parseInstant,
  })
}

/** The time and the id of a change request. */
function parseCursor(given: string) {
  const [time = '', number = '', ...others] = given.split('-')
  const [ms, id] = [parseDigits(time), parseDigits(number)]
  if (ms === undefined || id === undefined || others.length > 0 || ms > lastInstant) return undefined
  return { at: new Date(ms).toISOString(), id }
}
