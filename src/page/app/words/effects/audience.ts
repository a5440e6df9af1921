import { conditionWords } from '../fields/constraints'
import { type SegmentNames, segmentWords } from '../fields/segments'
import { isBlank, isObject, type Json, type JsonObject, listOf, objectOf, textIn } from '../json'
import { joined, plainText, type Words } from '../spans'

/**
 * Whom a strategy is for, as `everybody` or `users in NO, SE + DK`. Values that come and go against the strategy before
 * are marked.
 */
export function audienceWords(strategy: Json, before: Json = null, names?: SegmentNames): Words {
  const constraints = listOf(objectOf(strategy).constraints).filter(isObject)
  const segments = listOf(objectOf(strategy).segments).map((id) => [`in ${segmentWords(id, names)}`])
  const old = listOf(objectOf(before).constraints).filter(isObject)
  // In an edited strategy all values of a new constraint are new.
  const none = isBlank(before) ? undefined : {}
  const parts = [
    ...constraints.map((one) => userWords(one, old.find((other) => isAlike(one, other)) ?? none)),
    ...segments,
  ]
  return parts.length === 0 ? ['everybody'] : ['users ', ...joined(parts, ' and ')]
}

/** The same comparison of the same field. */
function isAlike(one: JsonObject, other: JsonObject): boolean {
  const { contextName, operator, inverted = false } = one
  return other.contextName === contextName && other.operator === operator && (other.inverted ?? false) === inverted
}

const places: ReadonlySet<string> = new Set(['country', 'region', 'city', 'market', 'locale', 'continent'])

/** A line has room for this many values. */
const most = 8

/** `in NO, SE`, `whose email ends with @example.com`; no boxes around the values that stay. */
function userWords(constraint: JsonObject, before: JsonObject | undefined): Words {
  const name = textIn(constraint, 'contextName')
  const [operator, ...values] = conditionWords(constraint, before, most).map((one) =>
    typeof one !== 'string' && one.as === 'value' ? plainText(one.text) : one,
  )
  if (places.has(name) && operator === 'is one of') return ['in', ...values]
  return ['whose ', plainText(name), ' ', operator ?? '', ...values]
}
