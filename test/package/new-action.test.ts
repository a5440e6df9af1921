import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Exit, runNode } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

const copied = ['src', 'schemas', 'test', 'examples', 'package.json', 'biome.json', 'tsconfig.json', 'jest.config.js']
const built = ['tsconfig.build.json', 'openapi.json', 'CHANGELOG.md']

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://express-change-requests.example/schemas/changes/renameFeature.json',
  title: 'RenameFeatureChange',
  description: 'Gives a flag another name.',
  examples: [{ action: 'renameFeature', feature: 'checkout', payload: { name: 'pay' } }],
  type: 'object',
  properties: {
    action: { description: 'The action.', const: 'renameFeature' },
    feature: { $ref: '../shared/feature-name.json' },
    payload: {
      description: 'The flag with its new name.',
      type: 'object',
      properties: { name: { description: 'The new name.', type: 'string' } },
      required: ['name'],
    },
  },
  required: ['action', 'feature', 'payload'],
}

const row = `  renameFeature: {
    target: 'flag',
    scope: 'project',
    stage: 'change',
    phrase: ({ name }, { subject }) => \`Renaming \${subject} to \${name}\`,
    targetPart: () => undefined,
    withPart: (_payload, _part, feature) => feature,
    after: (_payload, feature) => feature,
    unseen: (payload) => payload,
  },\n`
const fixture = `  renameFeature: {
    accepted: [{ name: 'pay' }],
    refused: [[{}, '/name', 'required and missing']],
  },\n`

/** The folder or file that each step of CONTRIBUTING.md names first, and what a contributor does there. */
const steps: Readonly<Record<string, (copy: string) => void>> = {
  'schemas/changes/<action>.json': (copy) =>
    writeFileSync(join(copy, 'schemas/changes/renameFeature.json'), JSON.stringify(schema)),
  'src/domain/actions/': (copy) => insert(join(copy, 'src/domain/actions/switch.ts'), /^ {2}archiveFeature: /m, row),
  'test/capabilities/proposals/fixtures/': (copy) =>
    insert(join(copy, 'test/capabilities/proposals/fixtures/flags.ts'), /^ {2}archiveFeature: /m, fixture),
  'CHANGELOG.md': (copy) => insert(join(copy, 'CHANGELOG.md'), /^- /m, '- The action `renameFeature`.\n'),
}

function insert(file: string, before: RegExp, text: string): void {
  const source = readFileSync(file, 'utf8')
  expect(source).toMatch(before)
  writeFileSync(
    file,
    source.replace(before, (place) => text + place),
  )
}

const places = [...section('A new action').matchAll(/^\d+\. `([^`]+)`/gm)].map(([, place = '']) => place)

function section(title: string): string {
  const [, text = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${title}\n`)
  return text.split('\n## ')[0] ?? ''
}

describe('CONTRIBUTING.md, "A new action"', () => {
  let copy: string

  const run = (bin: string, ...args: string[]): Promise<Exit> =>
    runNode([join(copy, 'node_modules', bin), ...args], { cwd: copy }).exit
  const perform = (step: number) => steps[places[step] ?? '']?.(copy)
  const typecheck = () => run('typescript/bin/tsc', '--noEmit')

  beforeAll(() => {
    copy = temporaryFolder()
    const filter = (from: string) => basename(from) !== 'node_modules'
    for (const name of [...copied, ...built]) cpSync(join(root, name), join(copy, name), { recursive: true, filter })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  })

  afterAll(removeFolders)

  it('lists the places that a new action touches', () => {
    expect(places).toEqual(Object.keys(steps))
  })

  it('adds the action to every list, once its schema is there', async () => {
    perform(0)
    const { status, stderr } = await runNode(['schemas/generate.js'], { cwd: copy }).exit
    expect([status, stderr]).toEqual([0, ''])
    const listed = (file: string) => readFileSync(join(copy, file), 'utf8')
    for (const file of ['schemas/shared/action.json', 'schemas/change.json', 'src/generated/change-schemas.ts']) {
      expect(listed(file)).toContain('renameFeature')
    }
    expect(listed('src/generated/index.ts')).toContain('export interface RenameFeatureChange')
  })

  it('does not compile without its row and its fixtures', async () => {
    const { status, stdout } = await typecheck()
    expect(status).not.toBe(0)
    const complaints = [...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error .*'renameFeature'/gm)].map(([, file]) => file)
    expect(complaints).toEqual(['src/domain/actions/table.ts', 'test/capabilities/proposals/fixtures/payloads.ts'])
  })

  it('is all that it takes: types and the description of the API are complete, and the tests of all actions pass', async () => {
    for (const step of [1, 2, 3]) perform(step)
    expect(await typecheck()).toMatchObject({ status: 0, stdout: '' })
    expect(await run('typescript/bin/tsc', '-p', 'tsconfig.build.json')).toMatchObject({ status: 0, stdout: '' })
    expect(await runNode(['schemas/openapi.js'], { cwd: copy }).exit).toMatchObject({ status: 0 })
    expect(readFileSync(join(copy, 'openapi.json'), 'utf8')).toContain('"RenameFeatureChange"')
    const about = ['test/domain/', 'test/capabilities/proposals/', 'test/package/(source/schemas|openapi)']
    const { status, stderr } = await run('jest/bin/jest.js', '--testPathPatterns', about.join('|'))
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
    expect(stderr).toMatch(/^Tests: .*\d+ passed/m)
    expect(stderr).not.toContain('failed')
  })
})
