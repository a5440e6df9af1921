import { parsePercent } from './percentage'

/** The parameter that decides whom of its audience a strategy of this kind reaches; `default` has none and reaches all. */
const parameters: ReadonlyMap<unknown, string> = new Map([
  ['flexibleRollout', 'rollout'],
  ['gradualRolloutUserId', 'percentage'],
  ['gradualRolloutSessionId', 'percentage'],
  ['gradualRolloutRandom', 'percentage'],
  ['userWithId', 'userIds'],
  ['remoteAddress', 'IPs'],
  ['applicationHostname', 'hostNames'],
])

export const percentages: ReadonlySet<string> = new Set(['rollout', 'percentage'])

/** The deciding parameter with its value; undefined for `default` and for kinds that only the host knows. */
export function decidingParameter(strategy: unknown): { readonly name: string; readonly value: unknown } | undefined {
  const name = parameters.get(propertiesOf(strategy).name)
  if (name === undefined) return undefined
  const { [name]: value } = propertiesOf(propertiesOf(strategy).parameters)
  // Unleash stores a gradual rollout without a percentage as one for all.
  return { name, value: value === undefined && name === 'rollout' ? '100' : value }
}

/** How many percent of its audience a strategy reaches; null if no percentage says it. */
export function reachedPercent(strategy: unknown): number | null {
  const { name = '', value } = decidingParameter(strategy) ?? {}
  if (percentages.has(name)) return parsePercent(value)
  return propertiesOf(strategy).name === 'default' ? 100 : null
}

export function isUnrestricted(part: unknown): boolean {
  const { constraints, segments } = propertiesOf(part)
  return isObject(part) && [constraints, segments].every(isEmpty)
}

/** Whether everybody gets the flag by this strategy; null if the reach of its kind is unknown, or if its percentage is none. */
export function reachesEverybody(strategy: unknown): boolean | null {
  if (propertiesOf(strategy).disabled === true || !isUnrestricted(strategy)) return false
  const share = reachedPercent(strategy)
  if (share !== null) return share === 100
  const { name } = decidingParameter(strategy) ?? {}
  return name === undefined || percentages.has(name) ? null : false
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isObject(value: unknown): value is { readonly [property: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function propertiesOf(value: unknown): { readonly [property: string]: unknown } {
  return isObject(value) ? value : {}
}
