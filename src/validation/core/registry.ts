import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020'
import { fullFormats } from 'ajv-formats/dist/formats'
import { bodySchemas, eventRecord, schemaOfEachAction, sharedSchemas } from '../../generated/change-schemas'
import { type FeatureNames, featureNameRules } from './names'

export { bodySchemas, eventRecord }

/** The schema of each action, in the order of error messages. A Map, because the key comes from the caller. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))

const bodies = Object.values(bodySchemas)
/** Every schema that can be compiled or referred to, once each, except for the name of a flag, which depends on the router. */
export const allSchemas: readonly object[] = [...sharedSchemas, ...bodies, eventRecord, ...changeSchemas.values()]

const compiled = new Map<string, ValidateFunction>()
/** One for each rule for the names of flags, which most schemas refer to. */
const instances = new Map<FeatureNames, Ajv2020>()

// The check against the meta-schema takes longer than compiling all schemas, so a test does it.
// allErrors is off: with it, a body of 150 kB could cause 150,000 errors.
function createAjv(featureNames: FeatureNames): Ajv2020 {
  const created = newAjv({ allowUnionTypes: true, meta: false, validateSchema: false })
  // All of them, because a schema may refer to one that is compiled later, or never in this process.
  created.addSchema([...allSchemas, featureNameRules[featureNames].schema])
  return created
}

function compileOnce(name: string, schema: object, featureNames: FeatureNames = 'url'): ValidateFunction {
  const key = `${featureNames} ${name}`
  const known = compiled.get(key)
  if (known) return known
  const ajv = instances.get(featureNames) ?? createAjv(featureNames)
  instances.set(featureNames, ajv)
  const validate = ajv.compile(schema)
  compiled.set(key, validate)
  return validate
}

/** The validator of a submitted change by its action; undefined for an unknown action. */
export function validatorOfAction(action: unknown, featureNames?: FeatureNames): ValidateFunction | undefined {
  const schema = typeof action === 'string' ? changeSchemas.get(action) : undefined
  return schema && compileOnce(action as string, schema, featureNames)
}

export function validatorOfRecordedEvent(featureNames?: FeatureNames): ValidateFunction {
  return compileOnce('recorded event', eventRecord, featureNames)
}

/** The validator of a body without changes. State updates have two: one for Scheduled and one for all other states. */
export function validatorOfBody(kind: keyof typeof bodySchemas): ValidateFunction {
  return compileOnce(`body ${kind}`, bodySchemas[kind])
}

const rfc3339 = fullFormats['date-time'] as { validate(text: string): boolean }

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/**
 * True for a time that every database stores as the same instant: RFC 3339 without leap seconds, with a `T` instead of a
 * space, and in the years 1 to 9999 in UTC.
 */
export function isDateTime(text: string): boolean {
  if (!shape.test(text) || !rfc3339.validate(text)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Creates an Ajv instance with the formats of the schemas. */
export function newAjv(options: Options = {}): Ajv2020 {
  // Loaded on first use: it takes longer to load than this package. With require, because import() is asynchronous; bundlers
  // follow it.
  // biome-ignore lint/style/noCommonJs: see above
  const ajv2020: typeof import('ajv/dist/2020') = require('ajv/dist/2020')
  // With verbose, errors have the schema that a value does not match, such as that of a name.
  const ajv = new ajv2020.Ajv2020({ strict: true, ownProperties: true, verbose: true, ...options })
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime })
  ajv.addFormat('uuid', fullFormats.uuid)
  ajv.addFormat('uri', fullFormats.uri)
  return ajv
}
