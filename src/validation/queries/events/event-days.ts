import { badData } from '../../core/problems'
import { describeParameters, readParameters, singleParameter, text } from '../query-parameter'
import type { QueryReader } from '../query-reader'

const table = {
  from: plainDay('The first day in UTC.'),
  to: plainDay('The last day in UTC.'),
  project: text('Return only events of this project.'),
}

export const eventActivityParameters = describeParameters(table)

/** Which days are counted, and of which project. @throws BadDataError for a day that is missing or malformed */
export function parseEventActivity(query: QueryReader) {
  const { from, to, project } = readParameters(table, query)
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'from' : 'to'
    throw badData([{ path: `/query/${missing}`, message: 'is required and missing' }])
  }
  return { days: { from, to }, project }
}

function plainDay(description: string) {
  const schema = { type: 'string', format: 'date' }
  return singleParameter({ description, schema, expected: 'must be a day as yyyy-MM-dd', parse: parseDay })
}

/** A day of the calendar as `yyyy-mm-dd`; undefined for any other text. */
export function parseDay(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00.000Z`)
  // Date parses February 31 as a day of March; Postgres has no year 0.
  const exists = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text) && !text.startsWith('0000')
  return exists ? text : undefined
}

/** An instant in UTC with milliseconds, as events have it; undefined for any other text. */
export function parseInstant(text: string): string | undefined {
  const [, day = '', time] = /^([\d-]{10})T(\d\d:\d\d:\d\d)(?:\.\d{1,3})?Z$/.exec(text) ?? []
  const moment = Date.parse(text)
  // Date parses 24:00 as the next day.
  if (parseDay(day) === undefined || Number.isNaN(moment)) return undefined
  const instant = new Date(moment).toISOString()
  return instant.startsWith(`${day}T${time}`) ? instant : undefined
}
