import { comparedProperty } from '../../../../domain/content/operators'
import { type FieldValue, isSame, ofPart, within } from '../../../../domain/diff/canonical'
import { isObject, type Json, type JsonObject, listOf, shown, textIn } from '../json'
import { muted, textOf, type Words } from '../spans'
import { listSides } from './lists'
import { type FieldDiff, type FieldRow, type Side, side } from './row'

/** An operator in words, and inverted. */
const operators: Readonly<Record<string, readonly [string, string]>> = {
  IN: ['is one of', 'is none of'],
  NOT_IN: ['is none of', 'is one of'],
  STR_STARTS_WITH: ['starts with', 'does not start with'],
  STR_ENDS_WITH: ['ends with', 'does not end with'],
  STR_CONTAINS: ['contains', 'does not contain'],
  NUM_EQ: ['is', 'is not'],
  NUM_GT: ['is more than', 'is at most'],
  NUM_GTE: ['is at least', 'is less than'],
  NUM_LT: ['is less than', 'is at least'],
  NUM_LTE: ['is at most', 'is more than'],
  DATE_AFTER: ['is after', 'is not after'],
  DATE_BEFORE: ['is before', 'is not before'],
  SEMVER_EQ: ['is version', 'is not version'],
  SEMVER_GT: ['is newer than version', 'is not newer than version'],
  SEMVER_GTE: ['is at least version', 'is older than version'],
  SEMVER_LT: ['is older than version', 'is at least version'],
  SEMVER_LTE: ['is at most version', 'is newer than version'],
  REGEX: ['matches', 'does not match'],
  IN_CIDR: ['is in', 'is not in'],
}

/** `is one of`; an unknown operator is shown as it is. */
export function operatorWords(constraint: JsonObject): string {
  const operator = textIn(constraint, 'operator')
  const inverted = constraint.inverted === true
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  const words = known ? known[inverted ? 1 : 0] : `${inverted ? 'not ' : ''}${operator}`
  return operator.startsWith('STR_') && constraintValues(constraint).length > 1 ? `${words} any of` : words
}

/** The values that it compares with, then those that its operator does not read. */
function valuesOf(constraint: JsonObject): readonly [compared: readonly string[], ignored: readonly string[]] {
  const list = listOf(constraint.values).map(shown)
  const one = [textIn(constraint, 'value')].filter((value) => value !== '')
  const property = comparedProperty(textIn(constraint, 'operator'))
  if (property === undefined) return [[...list, ...one], []]
  return property === 'value' ? [one, list] : [list, one]
}

function constraintValues(constraint: JsonObject): readonly string[] {
  return valuesOf(constraint)[0]
}

/** `is one of DE, FR`. Values that come and go against the constraint before are marked. */
export function conditionWords(constraint: JsonObject, before?: JsonObject): Words {
  const values = listSides(before ? constraintValues(before) : null, constraintValues(constraint))
  return sentence(constraint, values.after)
}

function sentence(constraint: JsonObject, { words }: Side): Words {
  const caseless = constraint.caseInsensitive === true ? [' ', muted('(case-insensitive)')] : []
  const [, ignored] = valuesOf(constraint)
  const also = ignored.length === 0 ? [] : [' ', muted(`(ignored: ${textOf(listSides(null, ignored).after.words)})`)]
  return [operatorWords(constraint), ' ', ...words, ...caseless, ...also]
}

/** A constraint before and after. Where the operator is another one, all of it is new. */
function sidesOf(old: Constraint, next: Constraint): { readonly now: Side; readonly after: Side } {
  const { now } = listSides(old ? constraintValues(old) : null, next ? constraintValues(next) : null)
  const before = old && next && isAlike(old, next) ? old : undefined
  return {
    now: old ? { words: sentence(old, now) } : noCondition,
    after: next ? { words: conditionWords(next, before) } : noCondition,
  }
}

const noCondition = side(muted('no condition'))

type Constraint = JsonObject | undefined

const meaning = within(within(ofPart, 'constraints'), '')

function isEqual(one: Constraint, other: Constraint): boolean {
  return isSame(one as FieldValue, other as FieldValue, meaning)
}

/** The same comparison of the same field, whatever its values. */
export function isAlike(one: JsonObject, other: JsonObject): boolean {
  return isEqual({ ...one, values: [], value: '' }, { ...other, values: [], value: '' })
}

/**
 * Each constraint before with the one that replaces it, then those that are new. Constraints have no names: equal
 * ones are pairs, then those with the same comparison of the same field, best with a value in common, then those of the same
 * field.
 */
export function pairConstraints(before: Json, after: Json): readonly (readonly [old: Constraint, next: Constraint])[] {
  const old = listOf(before).filter(isObject)
  const left = new Set(listOf(after).filter(isObject))
  const found = new Map<JsonObject, JsonObject>()
  for (const isPair of [isEqual, hasValueOf, isAlike, isOfSameField]) {
    for (const one of old) {
      const next = found.has(one) ? undefined : [...left].find((other) => isPair(one, other))
      if (next === undefined) continue
      found.set(one, next)
      left.delete(next)
    }
  }
  return [...old.map((one) => [one, found.get(one)] as const), ...[...left].map((one) => [undefined, one] as const)]
}

function hasValueOf(one: JsonObject, other: JsonObject): boolean {
  const values = new Set(constraintValues(one))
  return isAlike(one, other) && constraintValues(other).some((value) => values.has(value))
}

function isOfSameField(one: JsonObject, other: JsonObject): boolean {
  return one.contextName === other.contextName
}

/** A row for each constraint that is altered. The second one of the field `country` has the key `country 2`. */
export function constraintRows({ path, base, current, proposed, overwrites, whole }: FieldDiff): readonly FieldRow[] {
  const places = new Map<string, number>()
  const ofBase = pairConstraints(current, base)
  const removed = ofBase.flatMap(([old, was]) => (old === undefined ? [was] : []))
  return pairConstraints(current, proposed).flatMap(([old, next]): FieldRow[] => {
    const name = textIn(next ?? old, 'contextName')
    const place = (places.get(name) ?? 0) + 1
    places.set(name, place)
    if (!whole && isEqual(old, next)) return []
    const was = old ? ofBase.find(([one]) => one === old)?.[1] : pairConstraints([next], removed)[0]?.[1]
    const isOverwriting = overwrites && !isEqual(was, old)
    return [
      {
        key: `${path}/${name}${place > 1 ? ` ${place}` : ''}`,
        label: capitalized(name),
        name,
        ...sidesOf(old, next),
        was: isOverwriting ? sidesOf(was, undefined).now : null,
        overwrites: isOverwriting,
        share: null,
      },
    ]
  })
}

/** `country` as a label; names with capitals of their own stay as they are. */
export function capitalized(name: string): string {
  return /^[a-z]+$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name
}
