import { isBlank, isObject, type Json, type JsonObject } from '../../../words/json'

/** The part of a JSON Schema that a form is made of. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly deprecated?: boolean
  readonly default?: Json
}

export type Control = 'choice' | 'switch' | 'text' | 'lines' | 'list' | 'object' | 'map' | 'json'

/** The schema with the properties of its parts. */
export function merged({ allOf = [], ...own }: Schema): Schema {
  const all = [own, ...allOf.map(merged)]
  const properties = Object.assign({}, ...all.map((one) => one.properties)) as Record<string, Schema>
  const used = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true)
  const type = all.find((one) => one.type !== undefined)?.type
  return {
    ...own,
    ...(type !== undefined && { type }),
    ...(used.length > 0 && { properties: Object.fromEntries(used) }),
    required: all.flatMap(({ required = [] }) => required),
  }
}

/** How a value is edited; what has no simple control is edited as JSON. */
export function controlOf(schema: Schema): Control {
  const [type] = [schema.type].flat()
  if (choicesOf(schema).length > 0) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'string' || isNumber(schema)) return 'text'
  if (type === 'object' && schema.properties !== undefined) return 'object'
  if (type === 'object' && typeof schema.additionalProperties === 'object') return 'map'
  if (type !== 'array' || schema.items === undefined) return 'json'
  const item = controlOf(schema.items)
  return item === 'text' ? 'lines' : item === 'object' ? 'list' : 'json'
}

/** The options of a choice: what it can be, and its value, which may be one that only the target has. */
export function optionsOf(schema: Schema, value: string): readonly string[] {
  return [...new Set(['', ...choicesOf(schema), value])]
}

function choicesOf({ enum: values, anyOf = [] }: Schema): readonly string[] {
  return values ?? anyOf.flatMap(choicesOf)
}

export function isNumber({ type }: Schema): boolean {
  return [type].flat().some((one) => one === 'number' || one === 'integer')
}

/** What something new begins with: the empty lists and objects that it must have, and no value. */
export function blankOf(schema: Schema): Json {
  switch (controlOf(schema)) {
    case 'switch':
      return false
    case 'lines':
    case 'list':
      return []
    case 'object': {
      const { properties = {}, required = [] } = schema
      const blanks = required.map((name) => [name, blankOf(properties[name] ?? {})] as const)
      return Object.fromEntries(blanks.filter(([, blank]) => blank !== undefined))
    }
    case 'map':
      return {}
    default:
      return undefined
  }
}

/** Whether the controls of the schema show all of a value. */
export function fits(schema: Schema, value: Json): boolean {
  if (value === undefined || value === null) return true
  switch (controlOf(schema)) {
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(schema.items ?? {}, item))
    case 'lines':
      return Array.isArray(value)
    case 'object':
      return isObject(value) && Object.entries(schema.properties ?? {}).every(([name, one]) => fits(one, value[name]))
    case 'map':
      return isObject(value)
    default:
      return true
  }
}

/**
 * The value to send for what a form holds: there, numbers and JSON are text. Text that is neither is sent as it is, so that
 * the server returns what is wrong with it.
 */
export function toSent(schema: Schema, value: Json): Json {
  switch (controlOf(schema)) {
    case 'text':
      return isNumber(schema) ? numberOf(value) : value
    case 'lines':
      return typeof value === 'string' ? parsed(value) : value
    case 'list':
      return Array.isArray(value) ? value.map((item) => toSent(schema.items ?? {}, item)) : value
    case 'object':
      return isObject(value) ? sentObject(schema, value) : value
    case 'map':
      return isObject(value) ? sentMap(schema, value) : value
    case 'json':
      return typeof value === 'string' ? parsed(value) : value
    default:
      return value
  }
}

/** Text, where a store has numbers or booleans, such as in the parameters of a strategy. */
function sentMap({ additionalProperties }: Schema, value: JsonObject): JsonObject {
  const item = typeof additionalProperties === 'object' ? additionalProperties : {}
  const toText = (one: Json) => (item.type === 'string' && /number|boolean/.test(typeof one) ? String(one) : one)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toSent(item, toText(one))]))
}

/** Without what is optional and empty; null where the schema has it. What the schema does not name stays as it is. */
function sentObject({ properties = {}, required = [] }: Schema, value: JsonObject): JsonObject {
  const sent = Object.entries(value).flatMap(([name, one]) => {
    const schema = properties[name]
    if (schema === undefined) return [[name, one]]
    if (one !== '' || required.includes(name)) return [[name, toSent(schema, one)]]
    return schema.type?.includes('null') ? [[name, null]] : []
  })
  return Object.fromEntries(sent)
}

/** Text that is no number, or one that would be rounded, stays text. */
function numberOf(value: Json): Json {
  const text = String(value ?? '').trim()
  return text !== '' && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : value
}

function parsed(text: string): Json {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The values of a text with one per line. */
export function linesOf(items: Schema, text: string): readonly Json[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [toSent(items, line)]))
}

/** Whether a text with one value per line is the list; it is none with an empty value or one with line breaks. */
export function isLines(value: Json): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.every((line) => /^.+$/.test(String(line))))
}

/** `Context name` */
export function labelOf(name: string): string {
  const words = name.replace(/[a-z](?=[A-Z])/g, '$& ').toLowerCase()
  return isBlank(words) ? name : words[0]?.toUpperCase() + words.slice(1)
}
