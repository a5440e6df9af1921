import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import { fullFormats } from 'ajv-formats/dist/formats'
import { createRoutes } from '../../../src/router/routes'
import { addFormats, bodySchemas, changeSchemas } from '../../../src/validation/core/registry'

/** The registry of a process that has compiled nothing yet. */
function withNewRegistry(compile: (registry: typeof import('../../../src/validation/core/registry')) => unknown) {
  jest.isolateModules(() => compile(require('../../../src/validation/core/registry')))
}

const kinds = Object.keys(bodySchemas) as (keyof typeof bodySchemas)[]

describe('the first schema that a process compiles', () => {
  it.each(kinds)('can be the body %s', (kind) => {
    withNewRegistry(({ validatorOfBody }) => expect(validatorOfBody(kind)({})).toEqual(expect.any(Boolean)))
  })

  it.each([...changeSchemas.keys()])('can be the action %s', (action) => {
    withNewRegistry(({ validatorOfAction }) => expect(validatorOfAction(action)?.({})).toBe(false))
  })

  it('can be a recorded event', () => {
    withNewRegistry(({ validatorOfRecordedEvent }) => {
      expect(validatorOfRecordedEvent()({ type: 'feature-archived' })).toBe(true)
    })
  })
})

describe('schemas that the router does not compile', () => {
  const root = join(__dirname, '../../../schemas')
  const published = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as { readonly title: string })
  const parameters = createRoutes().flatMap(({ operationId, query = {}, headers = {} }) =>
    Object.entries({ ...query, ...headers }).map(([name, { schema }]) => [`${operationId}: ${name}`, schema] as const),
  )

  function compileAlone(schema: object, others: readonly object[]) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, meta: false, validateSchema: false })
    ajv.addVocabulary(['discriminator'])
    addFormats(ajv)
    ajv.addFormat('date', fullFormats.date)
    ajv.addSchema(others.filter((other) => other !== schema))
    return ajv.compile(schema)
  }

  it.each(published.map((schema) => [schema.title, schema] as const))('compile next to the others: %s', (_, schema) => {
    expect(() => compileAlone(schema, published)).not.toThrow()
  })

  it.each(parameters)('compile without the others: %s', (_, schema) => {
    expect(() => compileAlone(schema, [])).not.toThrow()
  })
})
