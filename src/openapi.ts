import { checkOption, refuseUnknownOptions } from './check-options'
import type { JsonValue } from './domain/change-request'

/**
 * What a router serves, as OpenAPI 3.1: yours to add to, such as the address of your servers.
 *
 * @example
 * ```ts
 * const document: OpenApiDocument = router.openapi({ mountPath: '/internal/ff' })
 * document.info.title = 'Flags of the shop'
 * document.servers = [{ url: 'https://admin.example.com' }]
 * ```
 */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  openapi: string
  /** Title, version and licence. */
  info: { title: string; version: string; [member: string]: JsonValue }
  /** What the paths follow; `/` for the host that serves the document. */
  servers: { url: string; [member: string]: JsonValue }[]
  /** Each path with its operations by method. */
  paths: { [path: string]: { [method: string]: JsonValue } }
  /** What the operations refer to: schemas, answers, and how a caller is known. */
  components: { [kind: string]: { [name: string]: JsonValue } }
  /** Further members of OpenAPI, such as `security`. */
  [member: string]: JsonValue
}

/**
 * How {@link ChangeRequestRouter.openapi} describes a router.
 *
 * @example
 * ```ts
 * const options: OpenApiOptions = { mountPath: '/internal/ff' }
 * app.use('/internal/ff', router)
 * app.get('/openapi.json', (_req, res) => void res.json(router.openapi(options)))
 * ```
 */
export interface OpenApiOptions {
  /**
   * Where you mount the router, as clients write it: what stands before `basePath`.
   * @defaultValue `''`
   */
  readonly mountPath?: string
}

/** What differs from one router to the next. */
export interface Served {
  readonly basePath: string
  /** Whether callers are known by a key in the header Authorization; otherwise only the host knows by what. */
  readonly byKey: boolean
  /** What may be proposed; undefined for every action there is. */
  readonly actions: readonly string[] | undefined
  readonly changesPerRequest: number
}

/** The base path of the published document. */
const published = '/api/admin'

/** The published document with the paths of this router, and without what it does not take. */
export function describeRouter(served: Served, options: OpenApiOptions = {}): OpenApiDocument {
  refuseUnknownOptions('openapi', options, ['mountPath'])
  const { mountPath = '' } = options
  const isPath = typeof mountPath === 'string' && /^(?:\/|(?:\/[\w.~-]+)*)$/.test(mountPath)
  checkOption('openapi', 'mountPath', isPath, 'a path such as /internal/ff, without a slash at its end')
  const base = `${mountPath === '/' ? '' : mountPath}${served.basePath}`
  const { security, ...document } = structuredClone(loadDocument())
  narrowBodies(document.components.schemas as unknown as Bodies, served)
  const paths = Object.entries(document.paths).map(([path, item]) => [base + path.slice(published.length), item])
  const described = { ...document, servers: [{ url: '/' }], paths: Object.fromEntries(paths) }
  if (served.byKey) return { ...described, security } as OpenApiDocument
  const { securitySchemes: _ofKeys, ...components } = document.components
  return { ...described, components } as OpenApiDocument
}

// As large as the rest of the package, and most hosts never ask for it. A require can wait until they do, and bundlers
// follow it.
function loadDocument(): OpenApiDocument {
  // biome-ignore lint/style/noCommonJs: see above
  return require('#openapi.json')
}

interface Bodies {
  readonly ChangeSubmission: { readonly oneOf: { type?: string; maxItems?: number }[] }
  readonly SubmittedChange: {
    examples?: JsonValue[]
    oneOf: { $ref: string }[]
    readonly discriminator: { mapping: { [action: string]: string } }
  }
}

/** A client that is made from the document offers what can be proposed here. */
function narrowBodies({ ChangeSubmission, SubmittedChange }: Bodies, { actions, changesPerRequest }: Served): void {
  for (const alternative of ChangeSubmission.oneOf) {
    if (alternative.type === 'array') alternative.maxItems = changesPerRequest
  }
  if (actions === undefined) return
  const { discriminator } = SubmittedChange
  const mapping = Object.entries(discriminator.mapping).filter(([action]) => actions.includes(action))
  const schemas = mapping.map(([, schema]) => schema)
  discriminator.mapping = Object.fromEntries(mapping)
  SubmittedChange.oneOf = SubmittedChange.oneOf.filter(({ $ref }) => schemas.includes($ref))
  delete SubmittedChange.examples
}
