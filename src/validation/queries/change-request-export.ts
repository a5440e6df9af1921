import { lastInstant } from '../../domain/instants'
import { isName, placeNames } from '../core/names'
import { badData, problemOfName } from '../core/problems'
import { parseDay, parseInstant } from './events/event-days'
import { describeParameters, type QueryParameter, readParameters, singleParameter, texts } from './query-parameter'
import { parseDigits, type QueryReader } from './query-reader'

const dayMs = 24 * 60 * 60 * 1000

const table = {
  after: singleParameter({
    description: 'Return only change requests above this id, to continue an export.',
    schema: { type: 'integer', minimum: 0, default: 0 },
    expected: 'must be the id of a change request',
    absent: 0,
    parse: parseDigits,
  }),
  changedFrom: time('The first day in UTC, or the instant, from which on the change requests were changed last.', 0),
  changedTo: time('The last day in UTC, or the instant before which the change requests were changed last.', dayMs),
  project: texts('Return only change requests of these projects, each in a parameter of its own.'),
}

export const changeRequestExportParameters = describeParameters(table)

/** `requested` has the filters by the name of the parameter. @throws BadDataError for a parameter that is malformed */
export function parseChangeRequestExport(query: QueryReader) {
  const { after, changedFrom, changedTo, project } = readParameters(table, query)
  for (const name of project) {
    if (!isName(placeNames, name)) throw badData([{ path: '/query/project', message: problemOfName(placeNames, name) }])
  }
  const projects = project.length === 0 ? undefined : [...new Set(project)]
  return {
    after,
    projects,
    range: {
      ...(changedFrom && { updatedFrom: changedFrom.instant }),
      ...(changedTo && { updatedBefore: changedTo.instant }),
    },
    requested: {
      ...(projects && { project: projects }),
      ...(changedFrom && { changedFrom: changedFrom.given }),
      ...(changedTo && { changedTo: changedTo.given }),
    },
  }
}

/** A day or an instant. @param offset from the start of the day to its instant, in milliseconds */
function time(description: string, offset: number): QueryParameter<{ given: string; instant: string } | undefined> {
  return singleParameter({
    description,
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' },
    expected: 'must be a day as yyyy-MM-dd, or an instant as yyyy-MM-ddTHH:mm:ssZ',
    parse(given) {
      const day = parseDay(given)
      const instant =
        day === undefined
          ? parseInstant(given)
          : new Date(Math.min(Date.parse(day) + offset, lastInstant)).toISOString()
      return instant === undefined ? undefined : { given, instant }
    },
  })
}
