const {
  components: { schemas },
} = require('express-change-requests/openapi.json')

/**
 * Converts the payload of a change to the types of its schema. The validator of the server does the same, so it takes the rollout
 * `50` for `"50"`; what is proposed is what it would store.
 */
function convertPayload(action, payload) {
  const { properties } = schemas[`${action[0].toUpperCase()}${action.slice(1)}Change`]
  return properties.payload === undefined ? payload : convert(payload, properties.payload)
}

function convert(value, schema) {
  const { type = [], properties = {}, items = {}, additionalProperties } = resolved(schema)
  if (Array.isArray(value)) return value.map((element) => convert(element, items))
  if (typeof value !== 'object' || value === null) return convertScalar(value, [type].flat())
  const ofOthers = typeof additionalProperties === 'object' ? additionalProperties : {}
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : ofOthers
    // Unleash 6 takes null for a list that is not sent.
    return inner === null && resolved(schema).type === 'array' ? [] : [[name, convert(inner, schema)]]
  })
  return Object.fromEntries(entries)
}

/** Without `$ref` and `allOf`. */
function resolved({ $ref, allOf = [], ...schema }) {
  const parts = [...($ref === undefined ? [] : [schemas[$ref.split('/').at(-1)]]), ...allOf].map(resolved)
  const properties = Object.assign({}, ...parts.map((part) => part.properties), schema.properties)
  return Object.assign({}, ...parts, schema, { properties })
}

function convertScalar(value, types) {
  if (types.some((type) => isOfType(value, type))) return value
  const [converted] = types.flatMap((type) => converters[type]?.(value) ?? [])
  return converted ?? value
}

const isOfType = (value, type) =>
  type === 'null' ? value === null : typeof value === (type === 'integer' ? 'number' : type)

/** Each returns undefined for a value that it cannot convert. */
const converters = {
  string: (value) => String(value ?? ''),
  boolean: (value) =>
    new Map([
      ['true', true],
      ['false', false],
      [1, true],
      [0, false],
      [null, false],
    ]).get(value),
  number: toNumber,
  integer: toNumber,
}

function toNumber(value) {
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : undefined
}

module.exports = { convertPayload }
