import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { allActions } from '../../../src/domain/actions/table'
import { changeSchemas, newAjv, validatorOfAction } from '../../../src/validation/core/registry'
import { growth, linear } from '../../support/cost'

type Node = Record<string, unknown>

const root = join(__dirname, '../../../schemas')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => relative(root, join(root, file)))
  .sort()
const schemas = new Map(files.map((file) => [file, JSON.parse(readFileSync(join(root, file), 'utf8')) as Node]))

/** All objects in a schema, with their paths. */
function* nodesOf(value: unknown, place: string): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value as Node]
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${place}/${key}`)
}

const nodes = [...schemas].flatMap(([file, schema]) => [...nodesOf(schema, file)])

describe('the schemas', () => {
  it('have one file for each registered action, and no other', () => {
    const ofActions = files.filter((file) => file.startsWith('changes')).map((file) => basename(file, '.json'))
    expect(ofActions).toEqual([...changeSchemas.keys()].sort())
    expect(schemas.get('shared/action.json')?.enum).toEqual([...changeSchemas.keys()])
    expect([...allActions].sort()).toEqual(ofActions)
  })

  it.each([...changeSchemas.keys()])('have the schema of %s in a file of its name', (action) => {
    const schema = schemas.get(`changes/${action}.json`)
    expect(schema).toMatchObject({ properties: { action: { const: action } } })
    expect(validatorOfAction(action)?.schema).toEqual(schema)
  })

  it('have each action in the union of changes', () => {
    const names = [...changeSchemas.keys()].map((action) => [action, `changes/${action}.json`])
    expect(schemas.get('change.json')).toMatchObject({
      oneOf: names.map(([, $ref]) => ({ $ref })),
      discriminator: { mapping: Object.fromEntries(names) },
    })
  })

  it('are valid JSON Schema 2020-12, and Ajv understands every keyword', () => {
    const ajv = newAjv({ allowUnionTypes: true })
    ajv.addVocabulary(['discriminator'])
    for (const schema of schemas.values()) expect(ajv.validateSchema(schema)).toBe(true)
    ajv.addSchema([...schemas.values()])
    for (const schema of schemas.values()) expect(() => ajv.getSchema(schema.$id as string)).not.toThrow()
  })

  it('accept the examples that they show', () => {
    const ajv = newAjv({ strict: false })
    ajv.addSchema([...schemas.values()])
    const shown = [...schemas].flatMap(([file, { $id, examples = [] }]) =>
      (examples as unknown[]).map((example) => [file, example, ajv.validate($id as string, example)]),
    )
    expect(shown.filter(([, , accepted]) => accepted !== true)).toEqual([])
    expect(shown.length).toBeGreaterThan(70)
  })

  it.each(files)('have a title and a description: %s', (file) => {
    const path = file.replaceAll('\\', '/')
    expect(schemas.get(file)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://express-change-requests.example/schemas/${path}`,
      title: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
      description: expect.stringMatching(/\.$/),
    })
  })
})

describe('validation takes linear time', () => {
  it('uniqueItems is not used', () => {
    expect(nodes.filter(([, node]) => 'uniqueItems' in node)).toEqual([])
  })

  it('integers have a maximum, which JSON keeps exactly', () => {
    const integers = nodes.filter(([, { type }]) => [type].flat().includes('integer'))
    expect(integers.length).toBeGreaterThan(5)
    for (const [place, node] of integers) {
      expect([place, node.maximum]).toEqual([place, expect.any(Number)])
      expect(Number.isSafeInteger(node.maximum)).toBe(true)
    }
  })

  const patterns = nodes.flatMap(([place, { pattern }]) =>
    typeof pattern === 'string' ? [[place, pattern] as const] : [],
  )
  const hostile = (length: number) =>
    ['a', '.', '-', 'aA', '.!', '1.', ' ', 'é', '\n']
      .map((text) => text.repeat(length / text.length))
      .flatMap((text) => [text, `${text}\0`, `.${text}`, `a${text} `])

  it('finds patterns to try', () => {
    expect(patterns.length).toBeGreaterThan(0)
  })

  it.each(patterns)('the pattern of %s takes time in proportion to the length of the text', (_, pattern) => {
    const expression = new RegExp(pattern, 'u')
    const tryAll = (texts: readonly string[]) => () => texts.map((text) => expression.test(text))
    expect(growth((length) => tryAll(hostile(length)), 2_000)).toBeLessThan(linear)
  })
})
