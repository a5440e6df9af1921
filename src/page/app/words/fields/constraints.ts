import { isObject, isSame, type Json, type JsonObject, listOf, shown, textIn } from '../json'
import { muted, type Words } from '../spans'
import { listSides } from './lists'
import { type FieldDiff, type FieldRow, type Side, side } from './row'

/** What an operator says about the field, and what it says inverted. */
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

/** `is one of`; an operator that nobody knows here is shown as it is. */
export function operatorWords(constraint: JsonObject): string {
  const operator = textIn(constraint, 'operator')
  const inverted = constraint.inverted === true
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  const words = known ? known[inverted ? 1 : 0] : `${inverted ? 'not ' : ''}${operator}`
  return operator.startsWith('STR_') && constraintValues(constraint).length > 1 ? `${words} any of` : words
}

/** The values that it compares with. */
function constraintValues(constraint: JsonObject): readonly string[] {
  const values = listOf(constraint.values).map(shown)
  return values.length === 0 && typeof constraint.value === 'string' ? [constraint.value] : values
}

/** `is one of DE, FR`. Values that come and go against the constraint before are marked. */
export function conditionWords(constraint: JsonObject, before?: JsonObject, longest?: number): Words {
  const values = listSides(before ? constraintValues(before) : null, constraintValues(constraint), longest)
  const caseless = constraint.caseInsensitive === true ? [' ', muted('(case-insensitive)')] : []
  return [operatorWords(constraint), ' ', ...values.after.words, ...caseless]
}

function conditionSide(constraint: JsonObject, before?: JsonObject): Side {
  return { words: conditionWords(constraint, before) }
}

const noCondition = side(muted('no condition'))

/** A row for each constraint that is altered; the context field and the operator identify it. */
export function constraintRows(diff: FieldDiff): readonly FieldRow[] {
  const [base, current, proposed] = [byField(diff.base), byField(diff.current), byField(diff.proposed)]
  const keys = [...new Set([...current.keys(), ...proposed.keys()])]
  return keys
    .filter((key) => diff.whole || !isSame(current.get(key), proposed.get(key)))
    .map((key): FieldRow => {
      const [was, old, next] = [base.get(key), current.get(key), proposed.get(key)]
      const overwrites = diff.overwrites && !isSame(was, old)
      return {
        key: `${diff.path}/${key}`,
        label: capitalized(textIn(next ?? old, 'contextName')),
        now: old ? conditionSide(old) : noCondition,
        after: next ? conditionSide(next, old) : noCondition,
        was: overwrites ? (was ? conditionSide(was) : noCondition) : null,
        overwrites,
        share: null,
      }
    })
}

/** `country` names the field; the second one of the same field is `country 2`. */
function byField(value: Json): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const constraint of listOf(value).filter(isObject)) {
    const name = textIn(constraint, 'contextName')
    let key = name
    for (let place = 2; found.has(key); place += 1) key = `${name} ${place}`
    found.set(key, constraint)
  }
  return found
}

/** `country` as a label; names with capitals of their own stay as they are. */
export function capitalized(name: string): string {
  return /^[a-z]+$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name
}
