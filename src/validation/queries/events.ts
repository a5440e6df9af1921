import type { ChangeRequestError } from '../../errors'
import { badData, echo } from '../core/problems'

/** The parameters of the event search as they stand in the address; absent ones undefined. */
export type EventSearchValues = {
  readonly [parameter in (typeof eventSearchParameters)[number]]?: string | undefined
}

export const eventSearchParameters = [
  'query',
  'id',
  'feature',
  'project',
  'type',
  'createdBy',
  'environment',
  'groupId',
  'from',
  'to',
] as const

/** What is asked for; flags are named, not yet looked for in change requests. */
export interface EventSearchQuery {
  readonly filter: {
    readonly ids?: readonly number[]
    readonly types?: readonly string[]
    readonly environments?: readonly string[]
    readonly createdBy?: readonly number[]
    readonly groupIds?: readonly string[]
    readonly from?: string
    readonly to?: string
    readonly text?: string
  }
  readonly features: readonly string[] | undefined
  readonly projects: readonly string[] | undefined
}

type Cursor = { readonly before: number } | { readonly after: number }

const day = 24 * 60 * 60 * 1000

/** Nothing is later, and the day behind it has no date of ten characters. */
const lastDay = Date.parse('9999-12-31T00:00:00.000Z')

/**
 * Reads the filters of the event search (contract 9.4).
 *
 * @throws BadDataError with the first parameter that has another form
 */
export function parseEventSearch(values: EventSearchValues): EventSearchQuery {
  const from = dayOf('from', values.from)
  const to = dayOf('to', values.to)
  const filter = {
    ids: numbersOf('id', values.id),
    types: listOf('type', values.type),
    environments: listOf('environment', values.environment),
    createdBy: numbersOf('createdBy', values.createdBy),
    groupIds: listOf('groupId', values.groupId),
    from: from === undefined ? undefined : new Date(from).toISOString(),
    to: to === undefined || to === lastDay ? undefined : new Date(to + day).toISOString(),
    text: values.query,
  }
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    features: listOf('feature', values.feature),
    projects: listOf('project', values.project),
  }
}

/** Which page: anything that is no number in its range is as if it were not there (contract 9.4). */
export function parsePage(offset: string | undefined, limit: string | undefined): { offset: number; limit: number } {
  const [first, size] = [Number(offset), Number(limit)]
  return {
    offset: Number.isSafeInteger(first) && first > 0 ? first : 0,
    limit: Number.isSafeInteger(size) && size >= 1 && size <= 1000 ? size : 50,
  }
}

/**
 * An id to go on from: `before` leads to older events, `after` to newer ones.
 *
 * @throws BadDataError when it is no id, or when both are given
 */
export function parseCursor(before: string | undefined, after: string | undefined): Cursor | undefined {
  if (before !== undefined && after !== undefined) {
    throw badData([{ path: '/query/after', message: 'before and after exclude each other' }])
  }
  if (before !== undefined) return { before: cursorId('before', before) }
  return after === undefined ? undefined : { after: cursorId('after', after) }
}

function cursorId(parameter: string, value: string): number {
  const id = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw refusal(parameter, 'must be the id of an event', value)
}

function listOf(parameter: string, value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  const [, list] = /^(?:IS|IS_ANY_OF):(.*)$/s.exec(value) ?? []
  if (list === undefined) throw refusal(parameter, 'must begin with IS: or IS_ANY_OF:', value)
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** What is no number matches nothing. */
function numbersOf(parameter: string, value: string | undefined): readonly number[] | undefined {
  return listOf(parameter, value)
    ?.filter((item) => /^-?\d{1,16}$/.test(item))
    .map(Number)
    .filter(Number.isSafeInteger)
}

/** The first moment of a day, in milliseconds. */
function dayOf(parameter: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, date = ''] = /^IS:(\d{4}-\d{2}-\d{2})$/.exec(value) ?? []
  const moment = Date.parse(`${date}T00:00:00.000Z`)
  // The calendar has no 31st of February, whatever Date makes of it; Postgres has no year 0.
  if (!Number.isNaN(moment) && new Date(moment).toISOString().startsWith(date) && !date.startsWith('0000'))
    return moment
  throw refusal(parameter, 'must be IS: and a day as yyyy-MM-dd', value)
}

function refusal(parameter: string, expected: string, value: string): ChangeRequestError {
  return badData([{ path: `/query/${parameter}`, message: `${expected}, got ${echo(value)}` }])
}
