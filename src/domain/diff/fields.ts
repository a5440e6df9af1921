import type { JsonValue } from '../change-request'

/** A value of one field; undefined if there is none. */
export type FieldValue = JsonValue | undefined

/** One field in three versions: when the change was proposed, now, and after the change. */
export interface ComparedField {
  /** JSON pointer; elements of a list with ids or names are named by these. */
  readonly path: string
  readonly base: FieldValue
  readonly current: FieldValue
  readonly proposed: FieldValue
}

/** The fields that are not the same in all three versions. */
export function compareFields(base: FieldValue, current: FieldValue, proposed: FieldValue, path = ''): ComparedField[] {
  if (isSame(base, current) && isSame(current, proposed)) return []
  const [ofBase, ofCurrent, ofProposed] = [entriesOf(base), entriesOf(current), entriesOf(proposed)]
  if (!ofBase || !ofCurrent || !ofProposed || !areAlike(base, current, proposed)) {
    return [{ path, base, current, proposed }]
  }
  const names = new Set([...ofBase.keys(), ...ofCurrent.keys(), ...ofProposed.keys()])
  return [...names].flatMap((name) =>
    compareFields(ofBase.get(name), ofCurrent.get(name), ofProposed.get(name), `${path}/${escaped(name)}`),
  )
}

/**
 * If one version lacks the whole value, such as an element that one side removed, returns the fields inside it in which the
 * other two versions differ. Otherwise returns the field itself.
 */
export function differingFields(field: ComparedField): readonly ComparedField[] {
  const versions = versionsOf(field)
  const missing = versions.indexOf(undefined)
  if (missing === -1) return [field]
  const [one, other] = versions.filter((version) => version !== undefined)
  if (!entriesOf(one) || !entriesOf(other) || !areAlike(one, other)) return [field]
  const empty = Array.isArray(one) ? [] : {}
  const { path, base = empty, current = empty, proposed = empty } = field
  const inside = compareFields(base, current, proposed, path).filter((inner) => {
    const [first, second] = versionsOf(inner).filter((_, index) => index !== missing)
    return isAltered(first, second)
  })
  return inside.length === 0 ? [field] : inside.flatMap(differingFields)
}

function versionsOf({ base, current, proposed }: ComparedField): readonly FieldValue[] {
  return [base, current, proposed]
}

/**
 * Merges two versions: a field that only one side edited is taken from that side.
 *
 * @param choose Decides on a field that both sides edited.
 */
export function mergeFields(
  base: FieldValue,
  theirs: FieldValue,
  ours: FieldValue,
  choose: (theirs: FieldValue, ours: FieldValue) => FieldValue,
): FieldValue {
  if (isSame(base, theirs) || isSame(theirs, ours)) return ours
  if (isSame(base, ours)) return theirs
  const [ofBase, ofTheirs, ofOurs] = [entriesOf(base), entriesOf(theirs), entriesOf(ours)]
  if (!ofBase || !ofTheirs || !ofOurs || !areAlike(base, theirs, ours)) return choose(theirs, ours)
  const merged: [string, JsonValue][] = []
  for (const name of new Set([...ofOurs.keys(), ...ofTheirs.keys()])) {
    const value = mergeFields(ofBase.get(name), ofTheirs.get(name), ofOurs.get(name), choose)
    if (value !== undefined) merged.push([name, value])
  }
  return Array.isArray(ours) ? merged.map(([, value]) => value) : Object.fromEntries(merged)
}

/** Lists of elements with ids or names are the same in any order. */
export function isSame(one: FieldValue, other: FieldValue): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (!Array.isArray(one) && !Array.isArray(other)) {
    const names = Object.keys(one)
    if (names.length !== Object.keys(other).length) return false
    return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  }
  const [entries, others] = [entriesOf(one), entriesOf(other)]
  if (entries && others) {
    if (!areAlike(one, other) || entries.size !== others.size) return false
    return [...entries].every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  }
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((value, index) => isSame(value, other[index]))
}

/** Null and a missing value count as equal, because responses do not distinguish them. */
export function isAltered(one: FieldValue, other: FieldValue): boolean {
  return !isSame(one ?? null, other ?? null)
}

/** The properties of an object, or the elements of a list that have keys; undefined for anything else. */
function entriesOf(value: FieldValue): ReadonlyMap<string, JsonValue> | undefined {
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

function areAlike(...values: readonly FieldValue[]): boolean {
  return values.every((value) => Array.isArray(value) === Array.isArray(values[0]))
}

/** A dependency is identified by its parent. */
function keyOf(element: JsonValue): string | undefined {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined
  const key = element.id ?? element.name ?? element.feature
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
