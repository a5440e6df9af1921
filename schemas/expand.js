const { readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * Writes out what a schema says by reference to a list, because readers of `openapi.json` and the compiler of types narrow by
 * written values alone: all values of the list but one or those of another list, or properties of one kind that it names.
 * @param {Record<string, any>} schema
 * @param {string} folder where its references start
 * @returns {Record<string, any>}
 */
function expand(schema, folder) {
  const valuesOf = (reference) => JSON.parse(readFileSync(join(folder, reference), 'utf8')).enum
  const { $ref, not, propertyNames, additionalProperties, ...rest } = schema
  if ($ref && not) {
    const excluded = not.$ref ? valuesOf(not.$ref) : [not.const]
    return { ...rest, type: 'string', enum: valuesOf($ref).filter((value) => !excluded.includes(value)) }
  }
  if (!propertyNames?.$ref) return schema
  const properties = Object.fromEntries(valuesOf(propertyNames.$ref).map((name) => [name, additionalProperties]))
  return { ...rest, properties, additionalProperties: false }
}

module.exports = { expand }
