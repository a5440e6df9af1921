import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  apiKeys,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  type FlagGateway,
  memoryStorage,
  type OpenApiDocument,
  type OpenApiOptions,
} from '../../src/index'
import { createRoutes } from '../../src/router/routes'
import { newAjv } from '../../src/validation/core/registry'
import { payloads } from '../capabilities/proposals/fixtures/payloads'
import { itWithNightlyModules, nightlyModules } from '../support/nightly-modules'
import { runNode } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

const routes = createRoutes()

const document: {
  openapi: string
  paths: Record<
    string,
    Record<string, { operationId: string; responses: object; parameters: { name: string; description?: string }[] }>
  >
} = require('../../openapi.json')

const validate = `
  import { Validator } from '@seriousme/openapi-schema-validator'
  console.log(JSON.stringify(await new Validator().validate(process.argv[1])))
`

const pathOf = (path: string) => `/api/admin${path.replace(/:(\w+)/g, '{$1}')}`

/** The result of the validator for a file. */
function verdictOn(file: string): unknown {
  // The validator is an ES module, which Jest cannot load.
  const args = ['--input-type=module', '-e', validate, file]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))
}

afterAll(removeFolders)

describe('router.openapi()', () => {
  const published = require('../../openapi.json') as OpenApiDocument
  const { paths: pathsOfAll } = published
  const keys = apiKeys([])
  const documentOf = (options: Partial<ChangeRequestRouterOptions>, mount?: OpenApiOptions) =>
    createChangeRequestRouter({ storage: memoryStorage(), authenticate: keys, ...options }).openapi(mount)
  const gateway: FlagGateway = {
    actions: ['archiveFeature', 'updateEnabled'],
    current: async () => ({ features: new Map(), segments: new Map() }),
    apply: async () => [],
  }

  it('has the actions that can be proposed, and their maximum number', () => {
    const { schemas } = documentOf({ flags: gateway, limits: { changesPerRequest: 7 } }).components
    expect(schemas?.SubmittedChange).toMatchObject({
      oneOf: [
        { $ref: '#/components/schemas/UpdateEnabledChange' },
        { $ref: '#/components/schemas/ArchiveFeatureChange' },
      ],
      discriminator: {
        mapping: {
          updateEnabled: '#/components/schemas/UpdateEnabledChange',
          archiveFeature: '#/components/schemas/ArchiveFeatureChange',
        },
      },
    })
    expect(schemas?.ChangeSubmission).toMatchObject({ oneOf: [{}, { type: 'array', maxItems: 7 }] })
  })

  it('has no schema of an action that cannot be proposed, nor of what only such an action uses', () => {
    const { paths, components } = documentOf({ flags: gateway })
    const names = Object.keys(components.schemas ?? {})
    const left = Object.keys(published.components.schemas ?? {}).filter((name) => !names.includes(name))
    const changes = names.filter((name) => /[a-z]Change$/.test(name))
    expect(changes).toEqual(['ArchiveFeatureChange', 'RebasedChange', 'SubmittedChange', 'UpdateEnabledChange'])
    expect(left).toEqual(expect.arrayContaining(['AddStrategyChange', 'StrategyUpdate', 'PlanSafeguard', 'Safeguard']))
    const referenced = referencesIn({ paths, components }).map((reference) => reference.split('/')[3] ?? '')
    expect(referenced.filter((name) => left.includes(name))).toEqual([])
    expect(names.filter((name) => !referenced.includes(name))).toEqual([])
  })

  it('has no security scheme when the host authenticates in its own way', () => {
    const { security, components } = documentOf({ authenticate: () => null })
    expect([security, components.securitySchemes]).toEqual([undefined, undefined])
  })

  it('is a valid OpenAPI 3.1 document for all options', () => {
    const folder = temporaryFolder()
    const served = [
      documentOf({}, { mountPath: '/internal/ff' }),
      documentOf({ basePath: '', flags: gateway, authenticate: () => null, limits: { changesPerRequest: 1 } }),
    ]
    for (const [index, one] of served.entries()) {
      const file = join(folder, `${index}.json`)
      writeFileSync(file, JSON.stringify(one))
      expect(verdictOn(file)).toEqual({ valid: true })
    }
  })

  it('is a new copy each time', () => {
    const options = { storage: memoryStorage(), authenticate: keys, flags: gateway, objections: true }
    const router = createChangeRequestRouter(options)
    const first = router.openapi()
    first.info.title = 'Flags of the shop'
    first.paths = {}
    first.components.schemas = {}
    expect(router.openapi().info).toEqual(published.info)
    expect(Object.keys(router.openapi().paths)).toEqual(Object.keys(pathsOfAll))
    expect(documentOf({ objections: true }).components).toEqual(published.components)
  })

  it('has the operations of objections only with their option', () => {
    const idsOf = (options: Parameters<typeof documentOf>[0]) =>
      Object.values(documentOf(options).paths).flatMap((item) =>
        Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
      )
    const without = new Set(idsOf({}))
    expect(
      idsOf({ objections: true })
        .filter((id) => !without.has(id))
        .sort(),
    ).toEqual(['dismissObjection', 'liftObjection', 'objectToChangeRequest', 'takeBackApproval'])
  })

  it.each(['/internal/', 'internal', '/:tenant', '/a b', 'https://example.com', 1, null])(
    'rejects %p as the mount path',
    (mountPath) => {
      expect(() => documentOf({}, { mountPath: mountPath as never })).toThrow(TypeError)
      expect(() => documentOf({}, { mountPath: mountPath as never })).toThrow(
        'openapi: option "mountPath" must be a path',
      )
    },
  )

  it('rejects unknown options', () => {
    expect(() => documentOf({}, { basePath: '/x' } as never)).toThrow('openapi: unknown option "basePath"')
  })
})

/** How generators begin a warning. */
const complaint = /warn|error|⚠|unsupported|not found|duplicate/i

const never = async (): Promise<never> => {
  throw new Error('Nothing is read or applied here.')
}

const generate = (script: string, ...args: readonly string[]) =>
  runNode([join(nightlyModules, script), ...args], { cwd: temporaryFolder() }).exit

const callerOf = (operation: string, path: string) => `
  import { ${operation} } from './client'
  import type { paths } from './types'
  type NotFound = paths['${path}']['get']['responses'][404]['content']
  export const messageOf = (error: NotFound[keyof NotFound]): string => error.message
  export async function read(): Promise<string | undefined> {
    const { error } = await ${operation}({ path: { projectId: 'shop', id: 1 } })
    return error?.message
  }
`

/** Every description in the document, with its place. */
function* descriptionsOf(node: unknown, place = ''): Generator<[place: string, text: string]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'description' && typeof value === 'string') yield [place, value]
    else yield* descriptionsOf(value, `${place}/${key}`)
  }
}

/** Everything that is referenced in a part of the document. */
const referencesIn = (node: unknown) =>
  [...JSON.stringify(node).matchAll(/"(#\/components\/[^"]+)"/g)].map(([, reference = '']) => reference)

type Schema = { readonly description?: string; readonly $ref?: string; readonly properties?: Record<string, Schema> }

/** Every field of the schemas, with where it stands. */
function* fieldsOf(node: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'examples') continue
    const isFields = key === 'properties' && typeof value.type !== 'string'
    if (isFields) {
      for (const [name, schema] of Object.entries(value as Record<string, Schema | false>)) {
        // A field that must be absent.
        if (schema === false) continue
        yield [`${place}.${name}`, schema]
        yield* fieldsOf(schema, `${place}.${name}`)
      }
    } else yield* fieldsOf(value, place)
  }
}

describe('openapi.json', () => {
  const schemas: Record<string, Schema> = require('../../openapi.json').components.schemas

  it('refers to whole schemas and responses, which have a name', () => {
    const places = referencesIn(document)
    expect(places.filter((place) => !/^#\/components\/(?:schemas|responses)\/\w+$/.test(place))).toEqual([])
    expect(places.length).toBeGreaterThan(300)
  })

  it('describes every schema, every field and every parameter', () => {
    expect(Object.keys(schemas).filter((name) => !schemas[name]?.description)).toEqual([])
    const fields = [...fieldsOf(schemas, '')]
    const describedBy = ({ description, $ref = '' }: Schema) =>
      description ?? schemas[$ref.split('/')[3] ?? '']?.description
    expect(fields.filter(([, schema]) => !describedBy(schema)).map(([place]) => place)).toEqual([])
    expect(fields.length).toBeGreaterThan(300)
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const parameters = operations.flatMap(({ operationId, parameters }) =>
      parameters.map(({ name, description }) => [operationId, name, description] as const),
    )
    expect(parameters.filter(([, , description]) => !description)).toEqual([])
    expect(parameters.length).toBeGreaterThan(100)
  })

  itWithNightlyModules.each([
    ['all actions', () => join(root, 'openapi.json')],
    [
      'two actions',
      () => {
        const gateway = { actions: ['updateEnabled', 'archiveFeature'], current: never, apply: never } as const
        const options = { storage: memoryStorage(), authenticate: () => null, flags: gateway }
        const file = join(temporaryFolder(), 'openapi.json')
        writeFileSync(file, JSON.stringify(createChangeRequestRouter(options).openapi()))
        return file
      },
    ],
  ])('with %s is turned into types and into a client without a warning', async (_, write) => {
    const [file, folder] = [write(), temporaryFolder()]
    const [types, client] = [join(folder, 'types.d.ts'), join(folder, 'client')]
    const ofTypes = await generate('openapi-typescript/bin/cli.js', file, '--output', types)
    expect([ofTypes.status, ofTypes.stdout + ofTypes.stderr]).toEqual([0, expect.not.stringMatching(complaint)])
    const ofClient = await generate(
      '@hey-api/openapi-ts/bin/run.js',
      '--input',
      file,
      '--output',
      client,
      '--no-log-file',
    )
    expect([ofClient.status, ofClient.stdout + ofClient.stderr]).toEqual([0, expect.not.stringMatching(complaint)])
    const functions = readFileSync(join(client, 'sdk.gen.ts'), 'utf8').matchAll(/^export const (\w+) = </gm)
    expect([...functions].map(([, name]) => name).sort()).toEqual(routes.map(({ operationId }) => operationId).sort())
    // A caller of both, which reads the message of an error whatever its media type is.
    const caller = join(folder, 'caller.ts')
    writeFileSync(caller, callerOf('getChangeRequest', '/api/admin/projects/{projectId}/change-requests/{id}'))
    const tsc = [
      join(nightlyModules, 'typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
    ]
    const compiled = await runNode(
      [...tsc, '--moduleResolution', 'bundler', '--module', 'esnext', types, join(client, 'index.ts'), caller],
      { cwd: folder },
    ).exit
    expect([compiled.status, compiled.stdout]).toEqual([0, ''])
  })

  it('describes everything in sentences with a capital letter and a full stop', () => {
    const all = [...descriptionsOf(document)].filter(([, text]) => text !== '')
    expect(all.filter(([, text]) => !/^[A-Z`1-9][\s\S]*\.$/.test(text))).toEqual([])
    expect(all.length).toBeGreaterThan(300)
  })

  it('is a valid OpenAPI 3.1 document', () => {
    expect(verdictOn(join(root, 'openapi.json'))).toEqual({ valid: true })
    expect(document.openapi).toBe('3.1.0')
  })

  it('has every route, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    )
    const registered = routes.map(({ method, path, operationId }) => `${method} ${pathOf(path)} ${operationId}`)
    expect(documented.sort()).toEqual(registered.sort())
  })

  it.each(routes.map((route) => [route.operationId, route] as const))('describes %s as its route does', (_, route) => {
    const operation = document.paths[pathOf(route.path)]?.[route.method]
    const codes = [route.answer.status, 401, ...route.errors].map(String)
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(codes))
    const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const names = [...parameters, ...Object.keys(route.query ?? {}), ...Object.keys(route.headers ?? {})]
    expect(operation?.parameters.map(({ name }) => name)).toEqual(names)
  })

  describe('accepts and rejects the same payloads as the validators', () => {
    const ajv = newAjv({ strict: false })
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
