import type { ChangeRequestError } from '../../errors'
import { badData, echo } from '../core/problems'

const defaultLimit = 50
const highestLimit = 1000

/** The parameters of the search as they stand in the address; absent ones undefined. */
export type SearchValues = {
  readonly [parameter in 'createdBy' | 'requestedApproverId' | 'state' | 'offset' | 'limit']?: string | undefined
}

/** What a search asks for; null where it does not care. */
export interface SearchQuery {
  readonly createdBy: number | null
  readonly requestedApproverId: number | null
  readonly state: 'open' | 'closed' | null
  readonly offset: number
  readonly limit: number
}

/** The number that a path segment stands for, or undefined when it can name nothing (contract 2.1). */
export function parseId(text: string): number | undefined {
  const id = parseDigits(text)
  return id === 0 ? undefined : id
}

/**
 * Reads the query of the search over all projects (contract 3.8).
 *
 * @throws BadDataError with the first parameter that has another form
 */
export function parseSearchQuery(values: SearchValues): SearchQuery {
  return {
    createdBy: personOf('createdBy', values.createdBy),
    requestedApproverId: personOf('requestedApproverId', values.requestedApproverId),
    state: stateOf(values.state),
    offset: numberOf('offset', values.offset, { absent: 0, least: 0, most: Number.MAX_SAFE_INTEGER }),
    limit: numberOf('limit', values.limit, { absent: defaultLimit, least: 1, most: highestLimit }),
  }
}

function personOf(parameter: string, value: string | undefined): number | null {
  if (value === undefined) return null
  const id = value.startsWith('IS:') ? parseDigits(value.slice(3)) : undefined
  if (id === undefined) throw refusal(parameter, 'must be IS: and the number of a user', value)
  return id
}

function stateOf(value: string | undefined): 'open' | 'closed' | null {
  if (value === undefined) return null
  if (value === 'IS:open') return 'open'
  if (value === 'IS:closed') return 'closed'
  throw refusal('state', 'must be IS:open or IS:closed', value)
}

interface Range {
  readonly absent: number
  readonly least: number
  readonly most: number
}

function numberOf(parameter: string, value: string | undefined, { absent, least, most }: Range): number {
  if (value === undefined) return absent
  const number = parseDigits(value)
  if (number !== undefined && number >= least && number <= most) return number
  throw refusal(parameter, `must be a whole number from ${least} to ${most}`, value)
}

/** Decimal digits without sign and leading zeros, up to what a number holds exactly. */
function parseDigits(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

function refusal(parameter: string, expected: string, value: string): ChangeRequestError {
  return badData([{ path: `/query/${parameter}`, message: `${expected}, got ${echo(value)}` }])
}
