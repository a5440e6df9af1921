import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Action } from '../../../../src'
import type { JsonValue } from '../../../../src/domain/change-request'

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly maximum?: number
}

/** Values that exist in a store, by the name of the property; two of them if a change can name either. */
export type Names = { readonly [property: string]: readonly JsonValue[] }

/** A payload that differs from the full one in one property. */
export interface Variant {
  /** Of the property, for example `constraints/0/inverted`, and what was done to it. */
  readonly edit: string
  readonly payload: JsonValue
}

const root = join(__dirname, '../../../../schemas')

/** The payload of an action with every property of its schema, and one variant for each edit of each property. */
export function payloadsOf(action: Action, names: Names): { readonly full: JsonValue; readonly variants: Variant[] } {
  const [schema, place] = resolved({ $ref: `/changes/${action}.json#/properties/payload` }, '')
  if (schema === undefined) return { full: {}, variants: [] }
  const full = sampleOf(schema, place, names, '', 0)
  // The router stores a payload of null as an empty one.
  const variants = [...variantsOf(schema, place, names, '', full)].filter(({ payload }) => payload !== null)
  return { full, variants }
}

/** The schema that a reference names, with all parts of `allOf`, and its file. */
function resolved(schema: Schema, file: string): readonly [Schema | undefined, string] {
  if (schema.$ref !== undefined) {
    const [path = '', pointer = ''] = schema.$ref.split('#')
    const target = path === '' ? file : path.startsWith('/') ? path.slice(1) : join(file, '..', path)
    const whole = JSON.parse(readFileSync(join(root, target), 'utf8'))
    const found = pointer
      .split('/')
      .slice(1)
      .reduce((part, name) => part?.[name], whole)
    return found === undefined ? [undefined, target] : resolved(found, target)
  }
  if (schema.allOf === undefined) return [schema, file]
  const parts = schema.allOf.map((part) => inlined(part, file))
  return [
    Object.assign({}, schema, ...parts, { properties: Object.assign({}, ...parts.map((one) => one.properties)) }),
    file,
  ]
}

/** The properties of a part of `allOf` get references that start at the root. */
function inlined(part: Schema, file: string): Schema {
  const [schema = {}, place] = resolved(part, file)
  const absolute = (one: Schema): Schema =>
    JSON.parse(JSON.stringify(one), (key, value) => (key === '$ref' ? `/${join(place, '..', value)}` : value))
  return place === file
    ? schema
    : {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, one]) => [name, absolute(one)]),
        ),
      }
}

function typeOf({ type, properties }: Schema): string {
  return (Array.isArray(type) ? type[0] : type) ?? (properties === undefined ? 'string' : 'object')
}

/** @param seed 0 or 1: two values that differ everywhere */
function sampleOf(reference: Schema, file: string, names: Names, name: string, seed: number): JsonValue {
  const [schema, place] = resolved(reference, file)
  const known = names[name]
  if (known !== undefined) return known[seed] ?? (known[0] as JsonValue)
  if (schema?.enum !== undefined) return schema.enum[seed] as string
  const inner = (one: Schema, property: string, at = seed) => sampleOf(one, place, names, property, at)
  switch (typeOf(schema as Schema)) {
    case 'boolean':
      return seed === 0
    case 'number':
    case 'integer':
      return seed + 5
    case 'array':
      return [0, 1].map((at) => inner(schema?.items as Schema, `${name}/`, at))
    case 'object': {
      const { properties = {}, additionalProperties } = schema as Schema
      const own = Object.entries(properties).map(([property, one]) => [property, inner(one, property)])
      if (typeof additionalProperties === 'object') own.push(['any', inner(additionalProperties, 'any')])
      return Object.fromEntries(own)
    }
    default:
      return `${name} ${seed}`
  }
}

/** Every value of this schema that differs from this one in one property. */
function* variantsOf(
  reference: Schema,
  file: string,
  names: Names,
  path: string,
  value: JsonValue,
): Generator<Variant> {
  const [schema = {}, place] = resolved(reference, file)
  const name = path.split('/').at(-1) ?? ''
  const nullable = Array.isArray(schema.type) && schema.type.includes('null')
  if (nullable) yield { edit: `${path}: null`, payload: null }
  if (typeof value !== 'object' || value === null) {
    const property = /^\d+$/.test(name) ? `${path.split('/').at(-2)}/` : name
    const samples = [2, 1, 0].map((seed): JsonValue | undefined => sampleOf(schema, place, names, property, seed))
    const other = samples.find((one) => one !== undefined && one !== value)
    if (other !== undefined) yield { edit: `${path}: change`, payload: other }
  } else if (Array.isArray(value)) yield* variantsOfList(schema, place, names, path, value)
  else yield* variantsOfObject(schema, place, names, path, value)
}

function* variantsOfList(
  schema: Schema,
  file: string,
  names: Names,
  path: string,
  value: JsonValue[],
): Generator<Variant> {
  yield { edit: `${path}: empty`, payload: [] }
  yield { edit: `${path}: remove`, payload: value.slice(1) }
  yield { edit: `${path}: reorder`, payload: value.toReversed() }
  for (const { edit, payload } of variantsOf(schema.items as Schema, file, names, `${path}/0`, value[0] as JsonValue)) {
    yield { edit, payload: value.with(0, payload) }
  }
}

function* variantsOfObject(
  schema: Schema,
  file: string,
  names: Names,
  path: string,
  value: { readonly [name: string]: JsonValue },
): Generator<Variant> {
  const { properties = {}, required = [], additionalProperties } = schema
  const at = (name: string) => (path === '' ? name : `${path}/${name}`)
  for (const [name, one] of Object.entries(value)) {
    const { [name]: _, ...others } = value
    if (!required.includes(name)) yield { edit: `${at(name)}: remove`, payload: others }
    const inner = properties[name] ?? (additionalProperties as Schema)
    for (const { edit, payload } of variantsOf(inner, file, names, at(name), one))
      yield { edit, payload: { ...value, [name]: payload } }
  }
  if (typeof additionalProperties === 'object')
    yield { edit: `${path}: add`, payload: { ...value, more: Object.values(value)[0] as JsonValue } }
  else if (additionalProperties !== false)
    yield { edit: `${at('unknown')}: add`, payload: { ...value, unknown: 'yes' } }
}
