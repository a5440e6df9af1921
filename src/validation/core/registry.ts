import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020'
import { addFormats } from './formats'
import { bodySchemas, changeSchemas, eventRecord, sharedSchemas } from './schemas'

const compiled = new Map<string, ValidateFunction>()
let ajv: Ajv2020 | undefined

// Loaded on first use: it takes longer to load than this package. With require, because import() is asynchronous; bundlers
// follow it.
function loadAjv(): typeof Ajv2020 {
  // biome-ignore lint/style/noCommonJs: see above
  const ajv2020: typeof import('ajv/dist/2020') = require('ajv/dist/2020')
  return ajv2020.Ajv2020
}

// The check against the meta-schema takes longer than compiling all schemas, so a test does it.
// allErrors is off: with it, a body of 150 kB could cause 150,000 errors.
function createAjv(): Ajv2020 {
  const Ajv = loadAjv()
  const created = new Ajv({
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    meta: false,
    validateSchema: false,
  })
  addFormats(created)
  created.addSchema([...sharedSchemas])
  return created
}

function compileOnce(key: string, schema: object): ValidateFunction {
  const known = compiled.get(key)
  if (known) return known
  ajv ??= createAjv()
  const validate = ajv.compile(schema)
  compiled.set(key, validate)
  return validate
}

/** The validator of a submitted change by its action; undefined for an unknown action. */
export function validatorOfAction(action: unknown): ValidateFunction | undefined {
  const schema = typeof action === 'string' ? changeSchemas.get(action) : undefined
  return schema && compileOnce(action as string, schema)
}

/** The validator of an event that the host records. */
export function validatorOfRecordedEvent(): ValidateFunction {
  return compileOnce('recorded event', eventRecord)
}

/** The validator of a body without changes. State updates have two: one for Scheduled and one for all other states. */
export function validatorOfBody(kind: keyof typeof bodySchemas): ValidateFunction {
  return compileOnce(`body ${kind}`, bodySchemas[kind])
}
