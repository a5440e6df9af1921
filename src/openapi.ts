import { checkOption, refuseUnknownOptions } from './check-options'
import type { JsonValue } from './domain/change-request'

/** The API of a router as an OpenAPI 3.1 document, which you may change, such as to add your servers. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  openapi: string
  /** Title, version and licence. */
  info: { title: string; version: string; [member: string]: JsonValue }
  /** The servers; `/` is the one that serves the document. */
  servers: { url: string; [member: string]: JsonValue }[]
  /** Operations by path and method. */
  paths: { [path: string]: { [method: string]: JsonValue } }
  /** Schemas, responses and security schemes that the operations reference. */
  components: { [kind: string]: { [name: string]: JsonValue } }
  /** Further members of OpenAPI, such as `security`. */
  [member: string]: JsonValue
}

/** How {@link ChangeRequestRouter.openapi} describes a router. */
export interface OpenApiOptions {
  /**
   * The path that you mount the router at, as clients see it: the part before `basePath`.
   * @defaultValue `''`
   */
  readonly mountPath?: string
}

/** The options of a router that its document depends on. */
export interface Served {
  readonly basePath: string
  /** Whether callers send an API key in the header Authorization. Otherwise the document has no security scheme. */
  readonly byKey: boolean
  /** The actions that can be proposed; undefined for all of them. */
  readonly actions: readonly string[] | undefined
  readonly changesPerRequest: number
  /** The JSON Schema for the names of flags. */
  readonly featureName: object
  /** The ids of the operations that its options leave out. */
  readonly leftOut: readonly string[]
}

/** The base path of the published document. */
const published = '/api/admin'

/** The published document, with the paths of this router and the actions that it accepts. */
export function describeRouter(served: Served, options: OpenApiOptions = {}): OpenApiDocument {
  refuseUnknownOptions('openapi', options, ['mountPath'])
  const { mountPath = '' } = options
  const isPath = typeof mountPath === 'string' && /^(?:\/|(?:\/[\w.~-]+)*)$/.test(mountPath)
  checkOption('openapi', 'mountPath', isPath, 'a path such as /internal/ff, without a slash at its end')
  const base = `${mountPath === '/' ? '' : mountPath}${served.basePath}`
  const { security, ...document } = structuredClone(loadDocument())
  const named = structuredClone(served.featureName) as { [key: string]: JsonValue }
  const { $id: _id, $schema: _schema, ...featureName } = named
  Object.assign(document.components.schemas as object, { FeatureName: featureName })
  narrowBodies(document.components.schemas as unknown as Bodies, served)
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (served.leftOut.includes((operation as { operationId: string }).operationId)) delete item[method]
    }
    if (Object.keys(item).length === 0) delete document.paths[path]
  }
  removeUnusedSchemas(document)
  const paths = Object.entries(document.paths).map(([path, item]) => [base + path.slice(published.length), item])
  const described = { ...document, servers: [{ url: '/' }], paths: Object.fromEntries(paths) }
  if (served.byKey) return { ...described, security } as OpenApiDocument
  const { securitySchemes: _ofKeys, ...components } = document.components
  return { ...described, components } as OpenApiDocument
}

// Loaded on first use: it is as large as the rest of the package, and most apps never need it. Bundlers follow require.
function loadDocument(): OpenApiDocument {
  // biome-ignore lint/style/noCommonJs: see above
  return require('#openapi.json')
}

interface Bodies {
  readonly PreviewSubmission: { readonly properties: { readonly changes: { maxItems?: number } } }
  readonly ChangeSubmission: { readonly oneOf: { type?: string; maxItems?: number }[] }
  readonly SubmittedChange: {
    examples?: JsonValue[]
    oneOf: { $ref: string }[]
    readonly discriminator: { mapping: { [action: string]: string } }
  }
}

/** Removes the actions that this router does not accept and sets its limits, so that generated clients match the router. */
function narrowBodies(
  { ChangeSubmission, PreviewSubmission, SubmittedChange }: Bodies,
  { actions, changesPerRequest }: Served,
): void {
  PreviewSubmission.properties.changes.maxItems = changesPerRequest
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

/** Generators write a type for each schema, also for one that no operation uses. */
function removeUnusedSchemas({ paths, components }: Pick<OpenApiDocument, 'paths' | 'components'>): void {
  const { schemas = {}, responses } = components
  const used = new Set(schemaNamesIn({ paths, responses }))
  for (const name of used) for (const inner of schemaNamesIn(schemas[name])) used.add(inner)
  components.schemas = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function schemaNamesIn(node: unknown): string[] {
  return [...JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
}
