import { namesIn } from '../../../../../domain/content/json-pointer'
import { isIdentical } from '../../../../../domain/diff/canonical'
import { compareFields, inserted, keyOf, mergeFields } from '../../../../../domain/diff/fields'
import type { FieldDiffView } from '../../../../../generated'
import { isObject, type Json, listOf } from '../../../words/json'

type Value = Parameters<typeof compareFields>[0]

/** A field that another user edited while a change was being written. */
export interface EditedField {
  /** JSON pointer; elements of a list are named by their ids or names. */
  readonly path: string
  readonly before: Json
  readonly now: Json
  readonly own: Json
  /** Whether the change sets it to another value. */
  readonly isOwn: boolean
}

/** Equal by meaning: an order that does not count or a default that is left out makes no difference. */
export function isEqual(one: Json, other: Json): boolean {
  return (
    isIdentical(one as Value, other as Value) ||
    compareFields(one as Value, other as Value, other as Value).length === 0
  )
}

/** What was edited between `base` and `now`, next to the own version of it. */
export function editedFields(base: Json, now: Json, own: Json): readonly EditedField[] {
  return compareFields(base as Value, now as Value, own as Value)
    .filter(({ isEdited }) => isEdited)
    .map(({ path, base, current, proposed, isAltered, isIntended }) => {
      return { path, before: base, now: current, own: proposed, isOwn: isAltered && isIntended }
    })
}

/** The own version on what is current now: a field that was not edited in it follows. */
export function mergedWith(base: Json, now: Json, own: Json, prefer: 'own' | 'now' = 'own'): Json {
  const choose = (theirs: Value, ours: Value) => (prefer === 'own' ? ours : theirs)
  return mergeFields(base as Value, now as Value, own as Value, choose)
}

/** The base to compare with after a further edit: the old one where both sides edited a field, else the current value. */
export function nextBase(base: Json, now: Json, own: Json): Json {
  return mergeFields(own as Value, now as Value, base as Value, (_, kept) => kept)
}

/** What the target had when a stored change was proposed. */
export function baseOf(current: Json, fields: readonly FieldDiffView[]): Json {
  return fields.reduce((part, { path, base }) => withValueAt(part, path, base ?? undefined), current)
}

/** The value at a JSON pointer, with the elements of lists by their ids or names. */
export function valueAt(value: Json, path: string): Json {
  return namesIn(path).reduce(valueIn, value)
}

function valueIn(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.find((one) => keyOf(one) === name)
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The value with another one at a JSON pointer; undefined removes it. What a list gets takes the place that it has in `like`. */
export function withValueAt(value: Json, path: string, next: Json, like?: Json): Json {
  return withValue(value, namesIn(path), next, like)
}

function withValue(value: Json, [name, ...inside]: readonly string[], next: Json, like: Json): Json {
  if (name === undefined) return next
  const old = valueIn(value, name)
  const isMissing = old === undefined && next !== undefined && !Array.isArray(value)
  const changed = withValue(isMissing ? {} : old, inside, next, valueIn(like, name))
  if (Array.isArray(value)) {
    if (old !== undefined) return value.flatMap((one) => (one === old ? (changed ?? []) : [one]))
    return changed === undefined ? value : inOrderOf(inserted(keysOf(value), keysOf(like)), [...value, changed])
  }
  if (!isObject(value)) return value
  const { [name]: _, ...others } = value
  return changed === undefined ? others : { ...value, [name]: changed }
}

/** The ids or names of the elements of a list. */
export function keysOf(value: Json): readonly string[] {
  return listOf(value).flatMap((one) => keyOf(one as Value) ?? [])
}

/** The list with its elements in the order of these ids or names; all others come last. */
export function inOrderOf(names: Iterable<string>, list: readonly Json[]): readonly Json[] {
  const places = new Map([...names].map((name, index) => [name, index]))
  const placeOf = (one: Json) => places.get(String(keyOf(one as Value))) ?? places.size
  return [...list].sort((one, other) => placeOf(one) - placeOf(other))
}
