import type { JsonValue } from '../change-request'
import { comparedProperty } from '../content/operators'
import { isPercentage } from '../content/percentage'
import { quoted, wordFor } from '../content/phrases'
import { canonical, type FieldValue, type Meaning } from './canonical'

type JsonObject = { readonly [property: string]: JsonValue }

/** Where a value is: its versions are compared, so that the text of a long list shows what the others lack. */
interface Place {
  readonly name: string
  readonly versions: readonly FieldValue[]
  readonly meaning: Meaning
  /** Long lists and objects with a name are written out. */
  readonly isFull: boolean
}

/** The versions of a field as texts for a sentence. Long ones are truncated around their first difference. */
export function valueTexts(name: string, versions: readonly FieldValue[], meaning: Meaning): readonly string[] {
  const textsOf = (isFull: boolean) => versions.map((value) => textOf(value, { name, versions, meaning, isFull }))
  const keys = new Set(versions.map((value) => keyOf(value, meaning)))
  const brief = textsOf(false)
  return truncated(new Set(brief).size < keys.size ? textsOf(true) : brief)
}

/** True for a field whose versions are lists: its sentence is in the plural. */
export function isList(name: string, versions: readonly FieldValue[]): boolean {
  return versions.some((value) => elementsOf(name, value) !== undefined)
}

function textOf(value: FieldValue, place: Place): string {
  const { name } = place
  const elements = elementsOf(name, value)
  if (elements !== undefined) return listText(elements, place)
  if (value == null) return 'none'
  if (value === '') return place.meaning.isAbsent?.(value) ? 'none' : 'empty'
  if (typeof value === 'boolean') return (name === 'disabled') === value ? 'off' : 'on'
  if (typeof value === 'object') return objectText(value as JsonObject, place)
  if (name === 'weight' && typeof value === 'number') return `${value / 10} %`
  if (/^(?:rollout|percentage)$/.test(name) && isPercentage(`${value}`)) return `${value} %`
  return typeof value === 'number' ? `${value}` : `“${value}”`
}

const maxListed = 3

/** The elements of a short list. Of a long one the number, and the elements that another version lacks. */
function listText(elements: readonly JsonValue[], place: Place): string {
  const { name, versions, meaning, isFull } = place
  if (elements.length === 0) return 'none'
  const textsOf = (some: readonly JsonValue[]) => some.map((element) => elementText(element, place))
  if (isFull || elements.length <= maxListed) return textsOf(elements).join(', ')
  const keyOfElement = (element: JsonValue) => keyOf(element, meaning.elements ?? {})
  const lists = versions.flatMap((version) => {
    const others = elementsOf(name, version)
    return others === undefined ? [] : [new Set(others.map(keyOfElement))]
  })
  const differing = elements.filter((element) => !lists.every((list) => list.has(keyOfElement(element))))
  const count = `${elements.length.toLocaleString('en')} ${labelOf(name)}`
  if (differing.length === 0) return count
  const more = differing.length - maxListed
  const listed = textsOf(differing.slice(0, maxListed)).join(', ')
  return `${count} (with ${listed}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''})`
}

function elementText(element: JsonValue, place: Place): string {
  const { name, versions, isFull } = place
  if (typeof element !== 'object' || element === null) return textOf(element, { ...place, name: '' })
  const { title, name: ownName, feature, id } = element as JsonObject
  const known = [title, ownName, feature, id].find((text) => typeof text === 'string' && text.trim() !== '')
  if (!isFull && typeof known === 'string') return quoted(known)
  return objectText(element as JsonObject, {
    ...place,
    // A constraint is compared with those of the same field and operator.
    versions: versions.flatMap((version) => (elementsOf(name, version) ?? []).filter(isSameConstraint(element))),
  })
}

function objectText(object: JsonObject, place: Place): string {
  const { versions } = place
  const inner = (name: string) =>
    textOf(object[name], { ...place, name, meaning: {}, versions: versions.map(property(name)) })
  if (isConstraint(object)) {
    const { contextName, operator, inverted, caseInsensitive } = object
    const condition = `${contextName} ${inverted ? 'NOT ' : ''}${operator} ${comparedText(object, inner)}`
    return caseInsensitive ? `${condition} in any case` : condition
  }
  return Object.keys(object)
    .map((name) => `${labelOf(name)} ${inner(name)}`)
    .join(', ')
}

/** What a constraint compares with, and what it has in the property that its operator does not read. */
function comparedText({ operator, value, values }: JsonObject, inner: (name: string) => string): string {
  const given = [
    ...(Array.isArray(values) && values.length > 0 ? ['values'] : []),
    ...(value == null || value === '' ? [] : ['value']),
  ]
  const property = comparedProperty(`${operator}`)
  if (property === undefined) return given.map(inner).join(', ') || 'none'
  const ignored = given.filter((name) => name !== property).map((name) => ` (ignored: ${inner(name)})`)
  return `${inner(property)}${ignored.join('')}`
}

const listedInText: ReadonlySet<string> = new Set(['userIds', 'IPs', 'hostNames'])

function elementsOf(name: string, value: FieldValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || !listedInText.has(name)) return undefined
  return value.split(',').flatMap((text) => text.trim() || [])
}

function isConstraint(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && 'contextName' in value && 'operator' in value
}

function isSameConstraint(one: JsonValue): (other: JsonValue) => boolean {
  return (other) =>
    isConstraint(one) && isConstraint(other) && one.contextName === other.contextName && one.operator === other.operator
}

function property(name: string): (value: FieldValue) => FieldValue {
  return (value) => (typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined)
}

function labelOf(name: string): string {
  return wordFor(name).replace(/^the /, '')
}

function keyOf(value: FieldValue, meaning: Meaning): string | undefined {
  return JSON.stringify(canonical(value, meaning))
}

const maxShown = 100
const shownBefore = 20

function truncated(texts: readonly string[]): readonly string[] {
  const isLong = ({ length }: string) => length > maxShown
  const start = Math.max(0, firstDifference(texts.filter(isLong)) - shownBefore)
  const end = start + maxShown
  return texts.map((text) => {
    if (!isLong(text)) return text
    const shown = text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    return `${start > 0 ? '…' : ''}${shown}${text.length > end ? '…' : ''}`
  })
}

function firstDifference([first = '', ...others]: readonly string[]): number {
  if (others.every((other) => other === first)) return 0
  let position = 0
  while (position < first.length && others.every((other) => other[position] === first[position])) position += 1
  return position
}
