import { fullFormats } from 'ajv-formats/dist/formats'
import { createRoutes } from '../../../src/router/routes'
import { bodySchemas, changeSchemas, newAjv } from '../../../src/validation/core/registry'

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
    const formats = { date: fullFormats.date }
    const ajv = newAjv({ allowUnionTypes: true, meta: false, validateSchema: false, formats })
    ajv.addVocabulary(['discriminator'])
    return ajv.compile(schema)
  }

  it.each(parameters)('compile without the others: %s', (_, schema) => {
    expect(() => compileAlone(schema)).not.toThrow()
  })
})
