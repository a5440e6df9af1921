import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

const folder = join(__dirname, '../../../schemas')

// A separate Ajv on the published files, which clients use as well.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['discriminator'])
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
for (const file of files) ajv.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')))

/** The errors of a value against a published schema; empty if it matches. */
export function violations(schema: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`https://express-change-requests.example/schemas/${schema}.json`)
  if (validate === undefined) throw new Error(`There is no schema ${schema}.`)
  return validate(value) ? [] : (validate.errors ?? [])
}
