import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import { routes } from '../../src/http/routes'
import { addFormats } from '../../src/validation/formats'
import { payloads } from '../validation/fixtures/payloads'

const document: {
  openapi: string
  paths: Record<string, Record<string, { operationId: string; responses: object; parameters: { name: string }[] }>>
} = require('../../openapi.json')

const root = join(__dirname, '../..')
const validate = `
  import { Validator } from '@seriousme/openapi-schema-validator'
  console.log(JSON.stringify(await new Validator().validate(process.argv[1])))
`

const pathOf = (path: string) => `/api/admin${path.replace(/:(\w+)/g, '{$1}')}`

describe('openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', () => {
    // The validator is an ES module, which Jest cannot load.
    const options = { cwd: root, encoding: 'utf8' } as const
    const args = ['--input-type=module', '-e', validate, join(root, 'openapi.json')]
    expect(JSON.parse(execFileSync(process.execPath, args, options))).toEqual({ valid: true })
    expect(document.openapi).toBe('3.1.0')
  })

  it('has every route, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    )
    const registered = routes.map(({ method, path, operationId }) => `${method} ${pathOf(path)} ${operationId}`)
    expect(documented.sort()).toEqual(registered.sort())
  })

  it.each(routes.map((route) => [route.operationId, route] as const))('has what the table says of %s', (_, route) => {
    const operation = document.paths[pathOf(route.path)]?.[route.method]
    const codes = [route.answer.status, 401, ...route.errors].map(String)
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(codes))
    const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const names = [...parameters, ...Object.keys(route.query ?? {}), ...Object.keys(route.headers ?? {})]
    expect(operation?.parameters.map(({ name }) => name)).toEqual(names)
  })

  describe('describes what is accepted', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats(ajv)
    ajv.addSchema(document, 'document')
    const submission = ajv.compile({ $ref: 'document#/components/schemas/ChangeSubmission' })

    it.each(Object.entries(payloads))('%s', (action, { accepted, refused }) => {
      const change = (payload: unknown) => ({ action, feature: 'checkout', payload })
      for (const payload of accepted) {
        expect([payload, submission(change(payload))]).toEqual([payload, true])
        expect(submission([change(payload)])).toBe(true)
      }
      for (const [payload] of refused) expect([payload, submission(change(payload))]).toEqual([payload, false])
    })
  })
})
