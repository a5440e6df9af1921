const { readFileSync, writeFileSync } = require('node:fs')
const { dirname, join, posix } = require('node:path')
const { version } = require('../package.json')
const { expand } = require('./expand')
const { createRoutes } = require('../build/router/routes.js')

const routes = createRoutes()
const basePath = '/api/admin'
const numbers = new Set(['id', 'changeId', 'changeRequestId', 'commentId', 'objectionId', 'segmentId'])
const parametersInPaths = {
  id: 'The id of the change request.',
  changeRequestId: 'The id of the change request.',
  segmentId: 'The id of the segment.',
  changeId: 'The id of the change.',
  commentId: 'The id of the comment.',
  objectionId: 'The id of the objection.',
  projectId: 'The name of the project.',
  environment: 'The name of the environment.',
  featureName: 'The name of the flag.',
  name: 'The name of the consumer.',
}
const reasons = {
  400: 'The request is malformed, or a value is not allowed.',
  401: 'The key is missing or unknown.',
  403: 'The caller is not allowed to do this.',
  404: 'The resource does not exist, or the caller cannot see it.',
  409: 'The current state does not allow it, or the first request with the same `Idempotency-Key` is still running.',
  412: 'The entity tag or the digest is outdated.',
  428: 'The server requires a digest or an entity tag, and the request has neither.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The `Idempotency-Key` was used for another request.',
  500: 'An unexpected error occurred.',
  503: 'The storage or a hook of the host app failed. Try again later.',
}

const components = new Map()
const read = (file) => JSON.parse(readFileSync(join(__dirname, file), 'utf8'))

/** Adds the schema of a file and all schemas that it references to the components. Returns its name. */
function component(file) {
  const schema = read(file)
  if (!components.has(schema.title)) {
    components.set(schema.title, undefined)
    const { $id, $schema, ...rest } = schema
    components.set(schema.title, bundled(rest, dirname(file)))
  }
  return schema.title
}

/** Converts a reference to a schema file to one in the document. */
function place(file, folder) {
  return `#/components/schemas/${component(posix.join(folder, file))}`
}

/** A copy of the part of another file that a node refers to: generators have no name for a part of a schema. */
function inlined({ $ref, ...rest }, folder) {
  const [file, pointer] = $ref.split('#')
  const path = posix.join(folder, file)
  const [, ...keys] = pointer.split('/')
  const part = keys.reduce((node, key) => node[key], read(path))
  return bundled({ ...part, ...rest }, dirname(path))
}

function bundled(node, folder) {
  if (Array.isArray(node)) return node.map((item) => bundled(item, folder))
  if (typeof node !== 'object' || node === null) return node
  if (typeof node.$ref === 'string' && node.$ref.includes('#')) return inlined(node, folder)
  const copy = {}
  for (const [key, value] of Object.entries(expand(node, join(__dirname, folder)))) {
    if (key === '$ref' && typeof value === 'string') copy.$ref = place(value, folder)
    else if (key === 'mapping' && node.propertyName) copy.mapping = placed(value, folder)
    else copy[key] = bundled(value, folder)
  }
  return copy
}

function placed(mapping, folder) {
  return Object.fromEntries(Object.entries(mapping).map(([value, file]) => [value, place(file, folder)]))
}

const schemaOf = (name) => ({ $ref: place(`${name}.json`, '.') })
/** A text of lines, each with the schema. */
const lines = (name) => ({
  'application/x-ndjson': {
    schema: { type: 'string', contentMediaType: 'application/x-ndjson', contentSchema: schemaOf(name) },
  },
})
const json = (name) => ({ 'application/json': { schema: schemaOf(name) } })

function parametersOf({ path, query = {}, headers = {} }) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: parametersInPaths[name],
    schema: numbers.has(name)
      ? { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 }
      : schemaOf(name === 'featureName' ? 'shared/feature-name' : 'shared/name'),
  }))
  const others = (place, table) => Object.entries(table).map(([name, rest]) => ({ name, in: place, ...rest }))
  return [...inPath, ...others('query', query), ...others('header', headers)]
}

/** The response headers that clients use. */
function answerHeaders({ answer, headers = {} }) {
  const text = (description) => ({ description, schema: { type: 'string' } })
  const tagged =
    ['change-request', 'checks', 'custom-fields', 'review', 'timeline'].includes(answer.schema) ||
    headers['If-None-Match']
  const found = {
    ...(tagged && { ETag: text('The entity tag of the response.') }),
    ...(headers['Idempotency-Key'] && {
      'Idempotency-Replayed': text('`true` if an earlier request with the same key succeeded. Absent otherwise.'),
    }),
  }
  return Object.keys(found).length > 0 && { headers: found }
}

function responsesOf(route) {
  const { method, answer, errors, headers = {} } = route
  const { status, schema, description, also, isLines } = answer
  const responses = {
    [status]: {
      description,
      ...answerHeaders(route),
      ...(schema && { content: { ...(isLines ? lines : json)(schema), ...also } }),
    },
  }
  if (method === 'get' && headers['If-None-Match'])
    responses[304] = { description: 'Nothing has changed since the response with that entity tag.' }
  for (const code of new Set([401, ...errors])) {
    if (!reasons[code]) throw new Error(`no text for the status ${code}`)
    responses[code] = { $ref: `#/components/responses/Error${code}` }
  }
  return responses
}

function operationOf(route) {
  const { operationId, summary, description, permissions, body, extension, method } = route
  // The permission of a step depends on the change request, so it is checked after the change request is read.
  const ofStep =
    method !== 'get' && permissions.includes('READ_CHANGE_REQUEST')
      ? ', and the permission of the step if it has one (see docs/permissions.md)'
      : ''
  return {
    operationId,
    ...(extension && { tags: ['extensions'] }),
    summary,
    description:
      permissions.length === 0
        ? description
        : `${description}\n\nRequires the permission ${permissions.map((name) => `\`${name}\``).join(' or ')}${ofStep}.`,
    parameters: parametersOf(route),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: responsesOf(route),
  }
}

function pathsOf() {
  const paths = {}
  for (const route of routes) {
    const path = basePath + route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  return paths
}

function errorResponses() {
  const content = { ...json('error'), 'application/problem+json': { schema: schemaOf('problem') } }
  const used = Object.keys(reasons).filter((code) =>
    routes.some(({ errors }) => [401, ...errors].includes(Number(code))),
  )
  return Object.fromEntries(used.map((code) => [`Error${code}`, { description: reasons[code], content }]))
}

const paths = pathsOf()
const responses = errorResponses()
const document = {
  openapi: '3.1.0',
  info: {
    title: 'express-change-requests',
    version,
    description: 'Change requests for feature flags, and the event log.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The mount path of the router. The paths below have the default base path.' }],
  security: [{ apiKey: [] }],
  tags: [{ name: 'extensions', description: 'Additions to the original interface.' }],
  paths,
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The key, alone or as `Bearer <key>`.',
      },
    },
    responses,
    schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  },
}
writeFileSync(join(__dirname, '..', 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`)
