import { isBlank, type Json, type JsonObject, objectOf, textIn } from '../json'
import { parsePercent, percent } from '../numbers'
import { strong, type Words } from '../spans'
import { percentages } from './parameters'

/** The parameter that decides whom of its audience a strategy of this kind reaches; `default` has none and reaches all. */
const parameters: ReadonlyMap<string, string> = new Map([
  ['flexibleRollout', 'rollout'],
  ['gradualRolloutUserId', 'percentage'],
  ['gradualRolloutSessionId', 'percentage'],
  ['gradualRolloutRandom', 'percentage'],
  ['userWithId', 'userIds'],
  ['remoteAddress', 'IPs'],
  ['applicationHostname', 'hostNames'],
])

/** The deciding parameter with its value; undefined for `default` and for kinds that only the host knows. */
export function decidingParameter(strategy: Json): { readonly name: string; readonly value: Json } | undefined {
  const name = parameters.get(textIn(strategy, 'name'))
  if (name === undefined) return undefined
  const { [name]: value } = objectOf(objectOf(strategy).parameters)
  // Unleash stores a gradual rollout without a percentage as one for all.
  return { name, value: value === undefined && name === 'rollout' ? '100' : value }
}

/** How many percent of its audience a strategy reaches; null if no percentage says it. */
export function reachedPercent(strategy: Json): number | null {
  const { name = '', value } = decidingParameter(strategy) ?? {}
  if (percentages.has(name)) return parsePercent(value)
  return textIn(strategy, 'name') === 'default' ? 100 : null
}

/** Neither a constraint nor a segment narrows it. */
export function isUnrestricted(part: JsonObject | null): boolean {
  return part !== null && isBlank(part.constraints) && isBlank(part.segments)
}

/** `everybody`, `25 % of everybody`; null if something narrows it, if it is off, or if its reach is unknown. */
export function audienceShare(strategy: JsonObject | null): Words | null {
  const share = reachedPercent(strategy)
  if (strategy === null || share === null || strategy.disabled === true || !isUnrestricted(strategy)) return null
  return [...(share === 100 ? [] : [`${percent(share)} of `]), strong('everybody')]
}

/** Nothing narrows the strategy, and its rollout is whole. */
export function isForEverybody(strategy: JsonObject | null): boolean {
  return audienceShare(strategy) !== null && reachedPercent(strategy) === 100
}
