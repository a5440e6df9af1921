import type { JsonValue } from '../change-request'
import { escaped } from '../content/json-pointer'
import { type FieldValue, inOrder, isIdentical, isSame, type Meaning, ofPart, within } from './canonical'

/** One field in three versions: when the change was proposed, now, and after the change. */
export interface ComparedField {
  /** JSON pointer; elements of a list with ids or names are named by these. */
  readonly path: string
  readonly base: FieldValue
  readonly current: FieldValue
  readonly proposed: FieldValue
  readonly meaning: Meaning
  /** Another user edited it: `current` differs from `base`. */
  readonly isEdited: boolean
  /** The change edits it: `proposed` differs from `current`. */
  readonly isAltered: boolean
  /** Its author meant to edit it: `proposed` differs from `base`. */
  readonly isIntended: boolean
}

/** The fields that are not the same in all three versions; the order of a list is a field of the list. */
export function compareFields(
  base: FieldValue,
  current: FieldValue,
  proposed: FieldValue,
  path = '',
  meaning: Meaning = ofPart,
): ComparedField[] {
  if (isIdentical(base, current) && isIdentical(current, proposed)) return []
  const field = { path, base, current, proposed, meaning }
  const ofBase = entriesOf(base)
  const ofCurrent = ofBase && entriesOf(current)
  const ofProposed = ofCurrent && entriesOf(proposed)
  if (!ofProposed || !areAlike(base, current, proposed)) {
    return fieldsIf((one, other) => isSame(one, other, meaning), field)
  }
  const names = new Set([...ofBase.keys(), ...ofCurrent.keys(), ...ofProposed.keys()])
  const inside = [...names].flatMap((name) =>
    compareFields(
      ofBase.get(name),
      ofCurrent.get(name),
      ofProposed.get(name),
      `${path}/${escaped(name)}`,
      within(meaning, name),
    ),
  )
  if (!Array.isArray(current)) return inside
  return [...fieldsIf((one, other) => hasSameOrder(one, other, meaning), field), ...inside]
}

function fieldsIf(
  same: (one: FieldValue, other: FieldValue) => boolean,
  field: Pick<ComparedField, 'path' | 'base' | 'current' | 'proposed' | 'meaning'>,
): ComparedField[] {
  const { path, base, current, proposed, meaning } = field
  const [isEdited, isAltered] = [!same(base, current), !same(current, proposed)]
  if (!isEdited && !isAltered) return []
  const isIntended = base === current ? isAltered : !same(base, proposed)
  // Much faster than with a spread.
  return [{ path, base, current, proposed, meaning, isEdited, isAltered, isIntended }]
}

/** True if the elements that both lists have come in the same order; lists of other kinds have none. */
function hasSameOrder(one: FieldValue, other: FieldValue, meaning: Meaning): boolean {
  const [keys, others] = [orderOf(one, meaning), orderOf(other, meaning)]
  const [known, otherKnown] = [new Set(keys), new Set(others)]
  const common = others.filter((key) => known.has(key))
  return keys.filter((key) => otherKnown.has(key)).every((key, index) => key === common[index])
}

function orderOf(value: FieldValue, meaning: Meaning): readonly string[] {
  if (!Array.isArray(value) || meaning.order === 'none') return []
  return [...(entriesOf(inOrder(value, meaning))?.keys() ?? [])]
}

/**
 * If one version lacks the whole value, such as an element that one side removed, returns the fields inside it in which the
 * other two versions differ. Otherwise returns the field itself.
 */
export function differingFields(field: ComparedField): readonly ComparedField[] {
  const versions = [field.base, field.current, field.proposed]
  const missing = versions.indexOf(undefined)
  if (missing === -1) return [field]
  const [one, other] = versions.filter((version) => version !== undefined)
  if (!entriesOf(one) || !entriesOf(other) || !areAlike(one, other)) return [field]
  const empty = Array.isArray(one) ? [] : {}
  const { path, base = empty, current = empty, proposed = empty, meaning } = field
  const differs = [
    ({ isAltered }: ComparedField) => isAltered,
    ({ isIntended }: ComparedField) => isIntended,
    ({ isEdited }: ComparedField) => isEdited,
  ][missing] as (inner: ComparedField) => boolean
  const inside = compareFields(base, current, proposed, path, meaning).filter(differs)
  return inside.length === 0 ? [field] : inside.flatMap(differingFields)
}

/** Merges two versions: a field that only one side edited is taken from that side. */
export function mergeFields(
  base: FieldValue,
  theirs: FieldValue,
  ours: FieldValue,
  choose: (theirs: FieldValue, ours: FieldValue) => FieldValue,
  meaning: Meaning = ofPart,
): FieldValue {
  if (isIdentical(base, theirs) || isIdentical(theirs, ours)) return ours
  const [ofBase, ofTheirs, ofOurs] = [entriesOf(base), entriesOf(theirs), entriesOf(ours)]
  if (!ofBase || !ofTheirs || !ofOurs || !areAlike(base, theirs, ours)) {
    if (isSame(base, theirs, meaning) || isSame(theirs, ours, meaning)) return ours
    return isSame(base, ours, meaning) ? theirs : choose(theirs, ours)
  }
  const merged: [string, JsonValue][] = []
  for (const name of mergedOrder(base, theirs, ours, choose, meaning)) {
    const [was, is, becomes] = [ofBase.get(name), ofTheirs.get(name), ofOurs.get(name)]
    const value = mergeFields(was, is, becomes, choose, within(meaning, name))
    if (value !== undefined) merged.push([name, value])
  }
  return Array.isArray(ours) ? merged.map(([, value]) => value) : Object.fromEntries(merged)
}

/** All names, in the order of the side that edited the order; what only the other side has stays after what it came after. */
function mergedOrder(
  base: FieldValue,
  theirs: FieldValue,
  ours: FieldValue,
  choose: (theirs: FieldValue, ours: FieldValue) => FieldValue,
  meaning: Meaning,
): ReadonlySet<string> {
  const isKept = hasSameOrder(base, theirs, meaning) || hasSameOrder(theirs, ours, meaning)
  const isTheirs = !isKept && (hasSameOrder(base, ours, meaning) || choose(theirs, ours) === theirs)
  const [first, second] = (isTheirs ? [theirs, ours] : [ours, theirs]).map((side) => entriesOf(side)?.keys() ?? [])
  return inserted(first as Iterable<string>, second as Iterable<string>)
}

/** The names of a list with those of another one, which come after what they came after there. */
export function inserted(names: Iterable<string>, others: Iterable<string>): ReadonlySet<string> {
  const order = [...names]
  const known = new Set(order)
  let place = 0
  for (const name of others) {
    if (known.has(name)) place = order.indexOf(name)
    else order.splice(place, 0, name)
    place += 1
  }
  return new Set(order)
}

/** The properties of an object, or the elements of a list that have keys; undefined for anything else. */
export function entriesOf(value: FieldValue): ReadonlyMap<string, JsonValue> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return new Map(Object.entries(value))
  const keyed = new Map<string, JsonValue>()
  for (const element of value) {
    const key = keyOf(element)
    if (key === undefined || keyed.has(key)) return undefined
    keyed.set(key, element)
  }
  return keyed
}

export function areAlike(...values: readonly FieldValue[]): boolean {
  return values.every((value) => Array.isArray(value) === Array.isArray(values[0]))
}

/** By what an element of a list is identified: a dependency by its parent. */
export function keyOf(element: FieldValue): string | undefined {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined
  const key = element.id ?? element.name ?? element.feature
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined
}
