import { describeParameters, type QueryParameter, readParameters, singleParameter, text } from '../query-parameter'
import type { QueryReader } from '../query-reader'
import { parseDay, parseInstant } from './event-days'
import { exportTable } from './event-export'
import { cursorParameters, pageParameters } from './event-page'

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

/** What the storage calls each filter. The flags and projects are looked up first. */
const names = {
  query: 'query',
  id: 'ids',
  type: 'types',
  createdBy: 'createdBy',
  environment: 'environments',
  groupId: 'groupIds',
  from: 'from',
  to: 'to',
} as const satisfies Record<Exclude<keyof typeof filters, 'feature' | 'project'>, string>

type Values = ReturnType<typeof readParameters<typeof filters>>

/** The filters of a search; undefined means no filter. */
export interface EventSearchParameters {
  readonly filter: { readonly [name in keyof typeof names as (typeof names)[name]]?: NonNullable<Values[name]> }
  /** Names of flags; their change requests are looked up later. */
  readonly features: readonly string[] | undefined
  readonly projects: readonly string[] | undefined
  /** All of these filters, by the name of the parameter. */
  readonly requested: Readonly<Record<string, string | readonly (string | number)[]>>
}

export const eventSearchParameters = describeParameters({
  ...filters,
  ...pageParameters,
  ...exportTable,
  ...cursorParameters,
})

/**
 * Reads the filters of the event search (contract 9.4).
 *
 * @throws BadDataError with the first parameter that is malformed
 */
export function parseEventSearch(query: QueryReader): EventSearchParameters {
  const values = readParameters(filters, query)
  const { feature: features, project: projects, ...given } = values
  const found = (Object.keys(names) as (keyof typeof names)[]).map((name) => [names[name], given[name]] as const)
  return {
    filter: withoutUndefined(Object.fromEntries(found)),
    features,
    projects,
    requested: withoutUndefined(values),
  }
}

function withoutUndefined<Value>(values: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
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
  return singleParameter(
    `\`IS:\` or \`IS_ANY_OF:\`, followed by ${what}, separated by commas.${more}`,
    { type: 'string', pattern: '^IS(_ANY_OF)?:' },
    {
      expected: 'must begin with IS: or IS_ANY_OF:',
      absent: undefined,
      parse(given) {
        const [, items] = /^(?:IS|IS_ANY_OF):(.*)$/s.exec(given) ?? []
        const trimmed = items?.split(',').map((item) => item.trim())
        return trimmed && convert(trimmed.filter((item) => item !== ''))
      },
    },
  )
}

/** A day or an instant behind `IS:`. */
function time(description: string): QueryParameter<string | undefined> {
  return singleParameter(
    description,
    { type: 'string', pattern: '^IS:\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' },
    {
      expected: 'must be IS: and a day as yyyy-MM-dd, or an instant as yyyy-MM-ddTHH:mm:ssZ',
      absent: undefined,
      parse(given) {
        const value = given.startsWith('IS:') ? given.slice('IS:'.length) : ''
        return parseDay(value) ?? parseInstant(value)
      },
    },
  )
}
