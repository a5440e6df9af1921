import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

interface Content {
  /** Files and streams have no schema to refer to. */
  readonly [mediaType: string]: { readonly schema: { readonly $ref?: string } }
}

interface Documented {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Content
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Documented>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Documented>> }
}

/** The published document. */
export const openapi: Document = require('../../openapi.json')

/** A response as received. */
interface WireAnswer {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(openapi, 'document')
const validators = new Map<string, ValidateFunction>()

function validatorOf($ref: string): ValidateFunction {
  const validate = validators.get($ref) ?? ajv.compile({ $ref: `document${$ref}` })
  validators.set($ref, validate)
  return validate
}

/** Literal path segments take precedence over parameters, as in the router. */
const templates = Object.keys(openapi.paths)
  .map((template) => {
    const words = template.replace(/\{\w+\}/g, '[^/]+')
    return { template, pattern: new RegExp(`^${words}$`), parameters: template.split('{').length }
  })
  .sort((one, other) => one.parameters - other.parameters)

/** The documented operation of a request, if any. */
export function operationOf(method: string, path: string): Operation | undefined {
  const found = templates.find(({ pattern }) => pattern.test(path))
  return found && openapi.paths[found.template]?.[method.toLowerCase()]
}

/** How a response differs from the document; empty if it matches, or if the request is for no documented operation. */
function answerProblems(answer: WireAnswer): unknown[] {
  const { method, path, status, headers, text } = answer
  const operation = operationOf(method, path)
  if (operation === undefined) return []
  const documented = resolved(operation.responses[status])
  if (documented === undefined) return [`${operation.operationId} has no response ${status}`]
  const isFile = /ndjson|csv/.test(headers.get('content-type') ?? '')
  const missing = Object.keys(documented.headers ?? {}).filter(
    (name) => name === 'ETag' && !isFile && !headers.has(name),
  )
  return [...missing.map((name) => `${name} is missing`), ...bodyProblems(documented.content, headers, text)]
}

function resolved(documented: Documented | undefined): Documented | undefined {
  const name = documented?.$ref?.split('/').at(-1)
  return name === undefined ? documented : openapi.components.responses[name]
}

function bodyProblems(content: Content | undefined, headers: Headers, text: string): unknown[] {
  if (content === undefined) return text === '' ? [] : ['there is a body']
  const mediaType = headers.get('content-type')?.split(';')[0] ?? 'none'
  const schema = content[mediaType]?.schema
  if (schema === undefined) return [`the media type is ${mediaType}`]
  if (schema.$ref === undefined) return []
  const validate = validatorOf(schema.$ref)
  return validate(JSON.parse(text)) ? [] : (validate.errors ?? [])
}

/** Every checked response, as `operationId status`. */
type SeenAnswers = Set<string>

/** A `fetch` that throws if the response does not match the document. */
export function checkedFetch(seen: SeenAnswers = new Set()): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { pathname: path } = new URL(String(input))
    const method = init?.method ?? 'GET'
    const text = await response.clone().text()
    const { status, headers } = response
    const problems = answerProblems({ method, path, status, headers, text })
    if (problems.length > 0) {
      throw new Error(`${method} ${path} answered ${status} ${text}, but ${JSON.stringify(problems, null, 1)}`)
    }
    const operation = operationOf(method, path)
    if (operation !== undefined) seen.add(`${operation.operationId} ${status}`)
    return response
  }
}
