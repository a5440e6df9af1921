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

describe('the schemas of parameters, which the router does not compile', () => {
  const parameters = createRoutes().flatMap(({ operationId, query = {}, headers = {} }) =>
    Object.entries({ ...query, ...headers }).map(([name, { schema }]) => [`${operationId}: ${name}`, schema] as const),
  )

  function compileAlone(schema: object) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, meta: false, validateSchema: false })
    ajv.addVocabulary(['discriminator'])
    addFormats(ajv)
    ajv.addFormat('date', fullFormats.date)
    return ajv.compile(schema)
  }

  it.each(parameters)('compile without the others: %s', (_, schema) => {
    expect(() => compileAlone(schema)).not.toThrow()
  })
})
