import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolders, root, temporaryFolder } from './support/folders'

/** Layer, and what nobody in it may import. A file of `src` itself stands for a layer of its own. */
const forbidden: readonly (readonly [layer: string, sources: readonly string[]])[] = [
  ['domain', ['../ports/storage', '../operations/services', '../http/views', '../router', 'express', 'node:crypto']],
  ['ports', ['../operations/services', '../storage/memory', '../validation/names', '../router', 'express', 'knex']],
  ['operations', ['../http/views', '../validation/names', '../storage/memory', '../options', '../router', 'express']],
  ['validation', ['../http/call', '../ports/storage', '../operations/services', '../router', 'express', 'knex']],
  ['http', ['../router', '../options', '../storage/memory', '../index', 'ajv', '#schemas/error.json', 'knex']],
  ['http/routes', ['../../router', '../../options', '../../storage/memory', '../../index', '../..', 'ajv', 'knex']],
  ['storage', ['../operations/services', '../http/views', '../validation/names', '../router', 'express', 'knex', 'pg']],
  ['storage/knex', ['../memory', '../../operations/services', '../../http/views', '../../router', 'express', 'ajv']],
  ['testing', ['../storage/memory', '../operations/services', '../http/views', '../router', 'express', 'knex']],
  ['index.ts', ['./http/views', './operations/services', './validation/names', './storage/knex/index']],
  ['router.ts', ['./storage/memory', './storage/knex/index', './index', 'knex', 'ajv']],
  ['options.ts', ['./http/views', './operations/services', './router', './storage/memory', 'express']],
  ['openapi.ts', ['./http/routes', './options', './router', './ports/storage', 'express']],
  ['errors.ts', ['./options', './domain/lifecycle', 'node:crypto', 'express']],
  ['cli.ts', ['./storage/knex/index', './router', './index', 'knex', 'node:util']],
  ['cli', ['../storage/memory', '../router', '../index', '../http/views', 'express', 'pg', 'better-sqlite3']],
  ['cli/settle.ts', ['../router', '../index', '../http/views', '../storage/memory', 'express', 'knex']],
  ['check-options.ts', ['./errors', './ports/storage', 'express']],
]

const others: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['suspicious/noImportCycles', 'domain/planted-a.ts', "export { b } from './planted-b'\nexport const a = 1\n"],
  ['suspicious/noImportCycles', 'domain/planted-b.ts', "export { a } from './planted-a'\nexport const b = 1\n"],
  ['correctness/noUndeclaredDependencies', 'http/planted-dev.ts', "import 'supertest'\n"],
  ['style/noCommonJs', 'domain/planted-require.ts', "export const knex = require('knex')\n"],
  ['suspicious/noConsole', 'domain/planted-console.ts', "console.log('here')\n"],
  [
    'nursery/noFloatingPromises',
    'domain/planted-promise.ts',
    'async function a() {}\nexport const b = () => {\n  a()\n}\n',
  ],
]

interface Finding {
  readonly rule: string
  readonly file: string
  readonly line: number
}

interface Diagnostic {
  readonly category: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}

/** What Biome finds in a copy of `src` with these files added or replaced. */
function findingsWith(planted: readonly (readonly [file: string, text: string])[]): Promise<Finding[]> {
  const copy = temporaryFolder()
  for (const name of ['src', 'biome.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  for (const [file, text] of planted) writeFileSync(join(copy, 'src', file), text)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const options = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [biome, ...options], { cwd: copy, maxBuffer: 1 << 26 }, (error, stdout) => {
      if (stdout === '') return reject(error)
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
      resolve(diagnostics.map(toFinding))
    })
  })
}

function toFinding({ category, location }: Diagnostic): Finding {
  const { path, start } = location
  return { rule: category.replace(/^lint\//, ''), file: path.replace(/^src\//, ''), line: start.line }
}

const fileOf = (layer: string) => (layer.endsWith('.ts') ? layer : `${layer}/planted.ts`)
const importing = (sources: readonly string[]) => sources.map((source) => `export type * from '${source}'\n`).join('')

describe('npx biome check .', () => {
  let findings: Finding[]

  beforeAll(async () => {
    findings = await findingsWith([
      ...forbidden.map(([layer, sources]) => [fileOf(layer), importing(sources)] as const),
      ...others.map(([, file, text]) => [file, text] as const),
    ])
  })

  afterAll(removeFolders)

  it('finds nothing in src as it is', async () => {
    expect(await findingsWith([])).toEqual([])
  })

  it.each(forbidden)('keeps src/%s from knowing %p', (layer, sources) => {
    const lines = findings.filter(({ rule, file }) => rule === 'style/noRestrictedImports' && file === fileOf(layer))
    expect(lines.map(({ line }) => sources[line - 1]).sort()).toEqual([...sources].sort())
  })

  it.each(others)('holds %s in src/%s', (rule, file) => {
    expect(findings).toContainEqual({ rule, file, line: expect.any(Number) })
  })
})
