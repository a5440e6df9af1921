const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { fileURLToPath } = require('node:url')
const { compile } = require('json-schema-to-typescript')
const { schemaImports, writeActionLists } = require('./actions')
const { exampleComment } = require('./examples')
const { expand } = require('./expand')

const target = join(__dirname, '..', 'src', 'generated')
const banner = '// Generated from schemas/ by `node schemas/generate.js`. Edit the schemas, not this file.'

/** Bodies whose types are among those of `change.json`. */
const withoutType = ['change-edit', 'change-submission']

/** The schemas that have a type of their own; what they refer to is included. */
const roots = readdirSync(__dirname)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => !withoutType.includes(name))

const annotations = new Set(['title', 'description', 'deprecated'])
const unread = new Set(['$id', '$schema', 'examples'])

/**
 * Adapts a schema to the compiler: it takes `$id` for a name, and an object for whatever has no type.
 * @param {unknown} node
 * @param {string} folder where its references start
 * @returns {unknown}
 */
function adapt(node, folder) {
  if (Array.isArray(node)) return node.map((item) => adapt(item, folder))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(expand(node, folder)).filter(([key]) => !unread.has(key))
  const adapted = Object.fromEntries(entries.map(([key, value]) => [key, adapt(value, folder)]))
  // The alternatives are what is open or closed; the compiler would open them all for the sake of one property more.
  if (adapted.oneOf && adapted.properties) adapted.additionalProperties = false
  // An alternative to a list of known texts. With `string` alone, TypeScript would forget the list.
  if (entries.length === 2 && adapted.type === 'string' && adapted.pattern)
    return { ...adapted, tsType: '(string & {})' }
  const describesAnything = typeof adapted.description === 'string' && entries.every(([key]) => annotations.has(key))
  return describesAnything ? { ...adapted, tsType: 'unknown' } : adapted
}

const adaptingReader = {
  order: 1,
  canRead: true,
  /** @param {{ url: string }} file */
  read({ url }) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    const schema = adapt(JSON.parse(readFileSync(path, 'utf8')), dirname(path))
    return JSON.stringify({ ...schema, description: schema.description + exampleComment(path, schema.title) })
  },
}

/** The lists that code needs at run time, each of one schema. */
const lists = {
  actions: 'shared/action',
  states: 'shared/states/state',
  stepNames: 'shared/steps/step-name',
  stepCodes: 'shared/steps/step-code',
  eventTypes: 'shared/events/event-type',
  changeRequestEventTypes: 'shared/events/change-request-event-type',
  operators: 'shared/strategies/known-operator',
}

function listModule() {
  const constants = Object.entries(lists).map(([name, file]) => {
    const schema = JSON.parse(readFileSync(join(__dirname, `${file}.json`), 'utf8'))
    const values = schema.enum.map((value) => `  '${value}',\n`).join('')
    return `/** All of {@link ${schema.title}}. */\nexport const ${name} = [\n${values}] as const\n`
  })
  return `${banner}\n\n${constants.join('\n')}`
}

async function main() {
  mkdirSync(target, { recursive: true })
  const actions = writeActionLists()
  writeFileSync(join(target, 'change-schemas.ts'), `${banner}\n\n${schemaImports(actions)}`)
  writeFileSync(join(target, 'lists.ts'), listModule())
  const properties = Object.fromEntries(roots.map((name) => [name, { $ref: `${name}.json` }]))
  const root = { title: 'Roots', type: 'object', additionalProperties: false, properties }
  const source = await compile(root, 'Roots', {
    cwd: `${__dirname}/`,
    additionalProperties: true,
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    strictIndexSignatures: false,
    unknownAny: true,
    style: { singleQuote: true, semi: false, printWidth: 120, trailingComma: 'all', bracketSpacing: true },
    $refOptions: { resolve: { file: adaptingReader } },
  })
  const withoutRoots = source.replace(/export interface Roots \{[^}]*\}\n/, '')
  if (withoutRoots === source) throw new Error('the type that holds the roots together was not found')
  writeFileSync(join(target, 'index.ts'), withoutRoots)
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
