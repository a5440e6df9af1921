import { isObject, isText, problemInKeys, quote } from '../rules/check-condition'

type Node = Readonly<Record<string, unknown>>

const maxFields = 20
const maxBytes = 64_000
const maxText = 500
const maxSearchable = 100

const keywordsOfAll = { type: true, title: true, description: true, default: true }
const keywordsOfNumbers = { ...keywordsOfAll, minimum: true, maximum: true, enum: true }
/** The keywords of each type, by which a form can be built. */
const keywordsOf: Readonly<Record<string, object>> = {
  string: { ...keywordsOfAll, maxLength: true, pattern: true, enum: true, format: true },
  number: keywordsOfNumbers,
  integer: keywordsOfNumbers,
  boolean: keywordsOfAll,
}

/** What is wrong with the option `customFields`, except for values in it that do not fit their own schema. */
export function problemInCustomFields(option: unknown): string | undefined {
  if (!isObject(option)) return 'must be an object with a schema'
  const { schema, searchable } = option
  const unknown = problemInKeys(option, { schema: true, searchable: true })
  if (unknown !== undefined) return `has an ${unknown}`
  const problem = problemInSchema(schema)
  if (problem !== undefined) return `has an invalid schema: ${problem}`
  if (searchable === undefined) return undefined
  const { properties } = schema as { readonly properties: Node }
  const field = Object.hasOwn(properties, searchable as string) ? (properties[searchable as string] as Node) : undefined
  const isFound = field?.type === 'string' && (field.maxLength as number) <= maxSearchable
  return isFound
    ? undefined
    : `must have a searchable that names a string property with a maxLength of at most ${maxSearchable}`
}

function problemInSchema(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it must be an object'
  const { type, properties, required = [], additionalProperties } = schema
  const unknown = problemInKeys(schema, { type: true, properties: true, required: true, additionalProperties: true })
  if (unknown !== undefined) return unknown
  if (type !== 'object') return 'type must be "object"'
  if (additionalProperties !== false) return 'additionalProperties must be false'
  if (!isObject(properties)) return 'properties must be an object'
  const names = Object.keys(properties)
  if (names.length === 0 || names.length > maxFields) return `properties must have 1 to ${maxFields} fields`
  for (const name of names) {
    if (!isText(name) || name.length > 100 || name === '__proto__') {
      return `a name must have 1 to 100 characters and must not be "__proto__", got ${quote(name)}`
    }
    const problem = problemInField(properties[name])
    if (problem !== undefined) return `the field ${quote(name)}: ${problem}`
  }
  const isList = Array.isArray(required) && new Set(required).size === required.length
  if (!isList || !required.every((name) => names.includes(name))) {
    return 'required must be a list of properties, each once'
  }
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  return bytes > maxBytes ? `it must have at most ${maxBytes} bytes as JSON, and has ${bytes}` : undefined
}

function problemInField(field: unknown): string | undefined {
  if (!isObject(field)) return 'it must be an object'
  const { type, title, description } = field
  const keywords = Object.hasOwn(keywordsOf, String(type)) ? keywordsOf[type as string] : undefined
  if (keywords === undefined || typeof type !== 'string') return 'type must be string, number, integer or boolean'
  const unknown = problemInKeys(field, keywords)
  if (unknown !== undefined) return unknown
  if (title !== undefined && !isText(title)) return 'title must be a text'
  if (description !== undefined && !isText(description)) return 'description must be a text'
  if (field.enum !== undefined && !isListOf(type, field.enum))
    return `enum must be a list of values of the type ${type}`
  return type === 'string' ? problemInText(field) : problemInNumber(field)
}

function problemInText({ maxLength, pattern, format }: Node): string | undefined {
  const isLength = Number.isInteger(maxLength) && (maxLength as number) >= 1 && (maxLength as number) <= maxText
  if (!isLength) return `maxLength must be a whole number from 1 to ${maxText}`
  if (pattern !== undefined && !isPattern(pattern)) return 'pattern must be a regular expression'
  if (format !== undefined && format !== 'uri' && format !== 'date') return 'format must be "uri" or "date"'
  return undefined
}

function problemInNumber({ minimum, maximum }: Node): string | undefined {
  if (minimum !== undefined && !Number.isFinite(minimum)) return 'minimum must be a number'
  if (maximum !== undefined && !Number.isFinite(maximum)) return 'maximum must be a number'
  return (minimum as number) > (maximum as number) ? 'minimum must not be above maximum' : undefined
}

/** Not empty, and each value once. */
function isListOf(type: string, values: unknown): boolean {
  const isValue = type === 'string' ? (value: unknown) => typeof value === 'string' : Number.isFinite
  return Array.isArray(values) && values.length > 0 && new Set(values).size === values.length && values.every(isValue)
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
