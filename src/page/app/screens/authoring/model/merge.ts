import { namesIn } from '../../../../../domain/content/json-pointer'
import { compareFields, mergeFields } from '../../../../../domain/diff/fields'
import type { FieldDiffView } from '../../../../../generated'
import { isObject, type Json, textIn } from '../../../words/json'

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
  return compareFields(one as Value, other as Value, other as Value).length === 0
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
  return fields.reduce((part, { path, base }) => withValue(part, namesIn(path), base), current)
}

/** The value with another one at the names; null removes it. */
function withValue(value: Json, [name, ...inside]: readonly string[], next: Json): Json {
  if (name === undefined) return next
  if (Array.isArray(value)) {
    const others = value.filter((element) => keyOf(element) !== name)
    const changed = withValue(
      value.find((element) => keyOf(element) === name),
      inside,
      next,
    )
    if (changed === null) return others
    const isKnown = others.length < value.length
    return isKnown ? value.map((element) => (keyOf(element) === name ? changed : element)) : [...value, changed]
  }
  if (!isObject(value)) return value
  const changed = withValue(value[name], inside, next)
  const { [name]: _, ...others } = value
  return changed === null ? others : { ...others, [name]: changed }
}

function keyOf(element: Json): string {
  return String((isObject(element) && element.id) || textIn(element, 'name') || textIn(element, 'feature'))
}
