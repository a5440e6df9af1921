import type { JsonValue } from '../change-request'

export type FieldValue = JsonValue | undefined

/** What a value means at its place in a target: which forms of it are equal (contract 16). Without one, every difference counts. */
export interface Meaning {
  /** Equals absence: a default of the schema. */
  readonly isAbsent?: (value: JsonValue) => boolean
  /** Numbers and booleans equal their text. */
  readonly isText?: true
  /** The order of a list: it does not count, or the sort orders of its elements state it. Without this, positions count. */
  readonly order?: 'none' | 'sort orders'
  /** Of the properties of an object. */
  readonly properties?: { readonly [name: string]: Meaning }
  /** Of the elements of a list, and of all other properties of an object. */
  readonly elements?: Meaning
}

const plain: Meaning = {}
const flag: Meaning = { isAbsent: (value) => value === false }
const title: Meaning = { isAbsent: (value) => value === null || value === '' }
const list: Meaning = { isAbsent: (value) => Array.isArray(value) && value.length === 0 }
const set: Meaning = { ...list, order: 'none' }

const constraint: Meaning = { properties: { inverted: flag, caseInsensitive: flag, values: set } }
const variant: Meaning = { properties: { overrides: list } }
const dependency: Meaning = { properties: { enabled: { isAbsent: (value) => value === true }, variants: list } }

const ofStrategyOrSegment: { readonly [name: string]: Meaning } = {
  title,
  description: title,
  disabled: flag,
  segments: set,
  // Without its constraints, a strategy reaches everyone: a gateway that leaves them out is not one that returns none.
  constraints: { order: 'none', elements: constraint },
  variants: { ...list, elements: variant },
  parameters: { elements: { isText: true } },
}

export const ofPart: Meaning = {
  properties: {
    ...ofStrategyOrSegment,
    order: { order: 'none' },
    dependencies: { order: 'none', elements: dependency },
    strategies: { ...list, order: 'sort orders', elements: { properties: ofStrategyOrSegment } },
  },
}

export function within({ properties = {}, elements = plain }: Meaning, name: string): Meaning {
  return Object.hasOwn(properties, name) ? (properties[name] as Meaning) : elements
}

/** The one form of all values that are equal by meaning, with sorted keys; undefined for what equals absence. */
export function canonical(part: JsonValue): JsonValue
export function canonical(value: FieldValue, meaning: Meaning): FieldValue
export function canonical(value: FieldValue, meaning: Meaning = ofPart): FieldValue {
  if (value === undefined || isAbsent(value, meaning)) return undefined
  if (typeof value !== 'object' || value === null) return meaning.isText && value !== null ? String(value) : value
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonical(element, meaning.elements ?? plain) ?? null)
    return meaning.order === 'none' ? byText(elements) : inOrder(elements, meaning)
  }
  const entries: [string, JsonValue][] = []
  for (const name of Object.keys(value).sort()) {
    const inner = canonical(value[name], within(meaning, name))
    if (inner !== undefined) entries.push([name, inner])
  }
  return Object.fromEntries(entries)
}

function isAbsent(value: FieldValue, { isAbsent }: Meaning): boolean {
  return value === undefined || isAbsent?.(value) === true
}

/** True if both have the same canonical form. Most values are absent or identical, which is cheaper to see. */
export function isSame(one: FieldValue, other: FieldValue, meaning: Meaning = ofPart): boolean {
  if (one === undefined || other === undefined) return isAbsent(one, meaning) && isAbsent(other, meaning)
  return isIdentical(one, other) || isIdentical(canonical(one, meaning), canonical(other, meaning))
}

export function isIdentical(one: FieldValue, other: FieldValue): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((element, index) => isIdentical(element, other[index]))
  }
  if (Array.isArray(other)) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isIdentical(one[name], other[name]))
}

/** In any order they are the same. The keys of the elements are sorted. */
function byText(elements: JsonValue[]): JsonValue[] {
  if (elements.length < 2) return elements
  const texts = elements.map((element) => [JSON.stringify(element), element] as const)
  return texts.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, element]) => element)
}

/** The elements by sort order, else by position, if sort orders state their order. */
export function inOrder(elements: JsonValue[], { order }: Meaning): JsonValue[] {
  if (order !== 'sort orders') return elements
  const placed = elements.map((element, index) => [placeOf(element) ?? index, element] as const)
  return placed.sort(([one], [other]) => one - other).map(([, element]) => element)
}

function placeOf(strategy: JsonValue): number | undefined {
  const { sortOrder } = (strategy ?? {}) as { readonly sortOrder?: unknown }
  return typeof sortOrder === 'number' ? sortOrder : undefined
}
