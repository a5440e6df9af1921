import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

const folder = join(__dirname, '../../../schemas')

// An Ajv of our own: the published files are what clients hold an answer against.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['discriminator'])
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
for (const file of files) ajv.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')))

/** What a published schema has against a value; empty when it fits. */
export function violations(schema: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`https://express-change-requests.example/schemas/${schema}.json`)
  if (validate === undefined) throw new Error(`There is no schema ${schema}.`)
  return validate(value) ? [] : (validate.errors ?? [])
}
