import { describeParameters, type QueryParameter, readParameters, singleParameter, text } from '../query-parameter'
import type { QueryReader } from '../query-reader'
import { parseDay, parseInstant } from './event-days'
import { cursorParameters, exportTable, pageParameters } from './event-page'

const filters = {
  query: text('A text to find in `data`, `preData` or `tags`.'),
  id: numbers('ids'),
  feature: flags(),
  project: list('projects'),
  type: list('types'),
  createdBy: numbers('ids of users'),
  environment: list('environments'),
  groupId: list('groups'),
  from: time('`IS:` and the first day in UTC, or the first instant, such as `IS:2026-11-18T08:00:00Z`.'),
  to: time('`IS:` and the last day in UTC, or the instant before which the events are.'),
}

export const eventSearchParameters = describeParameters({
  ...filters,
  ...pageParameters,
  ...exportTable,
  ...cursorParameters,
})

/**
 * The filters of the event search (contract 9.4). The flags and projects are apart: they are looked up first. `requested` has all
 * filters by the name of the parameter. @throws BadDataError with the first parameter that is malformed
 */
export function parseEventSearch(query: QueryReader) {
  const values = readParameters(filters, query)
  const { feature: features, project: projects, id: ids, type: types, ...others } = values
  const { environment: environments, groupId: groupIds, ...same } = others
  const filter = withoutUndefined({ ...same, ids, types, environments, groupIds })
  const requested: Readonly<Record<string, string | readonly (string | number)[]>> = withoutUndefined(values)
  return { filter, features, projects, requested }
}

function withoutUndefined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [name in keyof Values]?: NonNullable<Values[name]>
  }
}

function list(what: string): QueryParameter<readonly string[] | undefined> {
  return listOf(what, (items) => items)
}

/** Names of flags. Two characters are escaped: the comma separates names, and the percent sign escapes. */
function flags(): QueryParameter<readonly string[] | undefined> {
  const escapes = ' In a name, `%2C` is a comma and `%25` is a percent sign.'
  return listOf('flags', (items) => items.map(unescaped), escapes)
}

/** Both in one pass: `%252C` is the text `%2C`. */
function unescaped(item: string): string {
  return item.replace(/%2c|%25/gi, (code) => (code === '%25' ? '%' : ','))
}

/** An item that is not a number matches no event. */
function numbers(what: string): QueryParameter<readonly number[] | undefined> {
  return listOf(what, (items) =>
    items
      .filter((item) => /^-?\d{1,16}$/.test(item))
      .map(Number)
      .filter(Number.isSafeInteger),
  )
}

function listOf<Item>(
  what: string,
  convert: (items: string[]) => Item[],
  more = '',
): QueryParameter<readonly Item[] | undefined> {
  return singleParameter({
    description: `\`IS:\` or \`IS_ANY_OF:\`, followed by ${what}, separated by commas.${more}`,
    schema: { type: 'string', pattern: '^IS(_ANY_OF)?:' },
    expected: 'must begin with IS: or IS_ANY_OF:',
    parse(given) {
      const [, items] = /^(?:IS|IS_ANY_OF):(.*)$/s.exec(given) ?? []
      const trimmed = items?.split(',').map((item) => item.trim())
      return trimmed && convert(trimmed.filter((item) => item !== ''))
    },
  })
}

/** A day or an instant behind `IS:`. */
function time(description: string): QueryParameter<string | undefined> {
  return singleParameter({
    description,
    schema: { type: 'string', pattern: '^IS:\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' },
    expected: 'must be IS: and a day as yyyy-MM-dd, or an instant as yyyy-MM-ddTHH:mm:ssZ',
    parse(given) {
      const value = given.startsWith('IS:') ? given.slice('IS:'.length) : ''
      return parseDay(value) ?? parseInstant(value)
    },
  })
}
