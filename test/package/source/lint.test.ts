import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeFolders, root, temporaryFolder } from '../support/folders'

/** What the linter forbids, each with a file that breaks it. */
const planted: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['suspicious/noImportCycles', 'src/domain/planted-a.ts', "export { b } from './planted-b'\nexport const a = 1\n"],
  ['suspicious/noImportCycles', 'src/domain/planted-b.ts', "export { a } from './planted-a'\nexport const b = 1\n"],
  ['correctness/noUndeclaredDependencies', 'src/http/planted-dev.ts', "import 'supertest'\n"],
  ['style/noCommonJs', 'src/domain/planted-require.ts', "export const knex = require('knex')\n"],
  ['suspicious/noConsole', 'src/domain/planted-console.ts', "console.log('here')\n"],
  ['style/noRestrictedGlobals', 'src/http/planted-process.ts', "process.once('SIGTERM', () => {})\n"],
  ['style/noRestrictedGlobals', 'src/testing/planted-process.ts', 'export const url = process.env.URL\n'],
  ['style/noRestrictedGlobals', 'src/cli/planted-process.ts', 'export const url = process.env.DATABASE_URL\n'],
  ['style/noRestrictedGlobals', 'src/kernel/planted-fetch.ts', "export const answer = fetch('https://example.com')\n"],
  ['correctness/noUndeclaredVariables', 'src/domain/planted-name.ts', 'export const answer = { said }\n'],
  ['correctness/noUndeclaredVariables', 'src/domain/planted-it.ts', "it('runs', () => {})\n"],
  ['correctness/noUndeclaredVariables', 'examples/planted-name.js', 'module.exports = () => said\n'],
  ['correctness/noUndeclaredVariables', 'schemas/planted-name.js', 'module.exports = () => said\n'],
  ['correctness/noUndeclaredVariables', 'test/planted-name.test.ts', "it('runs', () => said)\n"],
  ['style/noRestrictedGlobals', 'examples/planted-status.js', 'module.exports = () => status\n'],
  [
    'nursery/noFloatingPromises',
    'src/domain/planted-promise.ts',
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

/** The findings of Biome in a folder with its settings and the planted files. */
function findPlanted(): Promise<Finding[]> {
  const copy = temporaryFolder()
  for (const name of ['biome.json', 'package.json']) cpSync(join(root, name), join(copy, name))
  for (const [, file, text] of planted) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
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
  return { rule: category.replace(/^lint\//, ''), file: path, line: start.line }
}

describe('npx biome check .', () => {
  let findings: Finding[]

  beforeAll(async () => {
    findings = await findPlanted()
  })

  afterAll(removeFolders)

  it.each(planted)('enforces %s in %s', (rule, file) => {
    expect(findings).toContainEqual({ rule, file, line: expect.any(Number) })
  })
})
