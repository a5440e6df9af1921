import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolders, root, temporaryFolder } from '../support/folders'

/** Each layer with imports that it forbids. A file in `src` itself is a layer. */
const forbidden: readonly (readonly [layer: string, sources: readonly string[]])[] = [
  [
    'domain',
    ['../ports/flags', '../operations/runtime/services', '../router', 'express', 'node:crypto', 'knex', 'ajv'],
  ],
  ['domain/flags', ['../../ports/flags', '../../operations/runtime/etag', '../../router', '../..', 'express', 'knex']],
  [
    'ports',
    [
      '../operations/runtime/services',
      '../storage/memory',
      '../validation/core/guard',
      '../auth/grants',
      'express',
      'knex',
    ],
  ],
  [
    'ports/storage',
    ['../flags', '../../operations/runtime/services', '../../storage/memory', '../../router', 'express', 'knex'],
  ],
  ['auth', ['../operations/runtime/services', '../ports/storage', '../http/pipeline/reply', '../router', 'express']],
  [
    'unleash-rules',
    [
      '../validation/core/problems',
      '../domain/changes',
      '../operations/review/validate',
      '../router',
      'express',
      'ajv',
    ],
  ],
  [
    'ledger',
    ['../storage/memory', '../http/pipeline/reply', '../operations/runtime/services', '../router', 'express', 'knex'],
  ],
  [
    'operations/change-requests',
    [
      '../../http/pipeline/reply',
      '../../validation/core/guard',
      '../../storage/memory',
      '../../options',
      '../../router',
      'express',
    ],
  ],
  [
    'operations/apply',
    ['../../http/pipeline/reply', '../../validation/core/guard', '../../storage/memory', 'express', 'knex'],
  ],
  [
    'operations/writer',
    ['../../http/pipeline/reply', '../../storage/memory', '../../options', '../../router', 'express'],
  ],
  [
    'operations/runtime',
    ['../../http/pipeline/reply', '../../validation/core/guard', '../../auth/grants', 'express', 'knex'],
  ],
  [
    'validation/core',
    [
      '../../http/pipeline/reply',
      '../../ports/storage',
      '../../operations/runtime/etag',
      '../../router',
      'express',
      'knex',
    ],
  ],
  [
    'http/pipeline',
    [
      '../../router',
      '../../options',
      '../../storage/memory',
      '../../index',
      'ajv',
      '#schemas/error.json',
      'knex',
      'node:https',
      'node:child_process',
    ],
  ],
  ['http/routes', ['../../router', '../../options', '../../storage/memory', '../../index', '../..', 'ajv', 'knex']],
  [
    'storage',
    [
      '../operations/runtime/services',
      '../http/pipeline/reply',
      '../validation/core/guard',
      '../router',
      'express',
      'knex',
      'pg',
    ],
  ],
  ['storage/memory', ['../knex/index', '../../operations/runtime/services', '../../router', 'express', 'knex']],
  [
    'storage/knex',
    ['../memory', '../../operations/runtime/services', '../../http/pipeline/reply', '../../router', 'express', 'ajv'],
  ],
  [
    'storage/knex/postgres',
    ['../../memory', '../../../operations/runtime/services', '../../../router', 'express', 'ajv', 'node:dgram'],
  ],
  [
    'testing',
    ['../storage/memory', '../operations/runtime/services', '../http/pipeline/reply', '../router', 'express', 'knex'],
  ],
  ['testing/storage', ['../../storage/memory', '../../operations/runtime/services', '../../router', 'express', 'knex']],
  [
    'testing/storage/events',
    [
      '../../../storage/memory',
      '../../../operations/runtime/services',
      '../../../router',
      '../../..',
      'express',
      'knex',
    ],
  ],
  [
    'index.ts',
    ['./http/pipeline/reply', './operations/runtime/services', './validation/core/guard', './storage/knex/index'],
  ],
  ['gate', ['../storage/memory', '../http/routes', '../router', '../options', '../index', 'knex', 'ajv', 'node:http']],
  ['router', ['../storage/memory', '../storage/knex/index', '../index', '../cli/run', 'knex', 'ajv']],
  [
    'options',
    ['../http/pipeline/reply', '../operations/runtime/services', '../router', '../storage/memory', 'express'],
  ],
  ['client', ['../domain/changes', '../errors', '../router', '../page', 'express', 'node:crypto', 'preact']],
  ['page', ['../router', '../client', '../domain/changes', './app/main', 'knex', 'node:http']],
  ['page/serve', ['../../router', '../../client', '../../domain/changes', '../app/main', 'knex', 'node:http']],
  ['page/app', ['../../domain/changes', '../../router/index', '../serve/document', 'express', 'knex', 'node:fs']],
  ['page/app/words', ['../../../domain/changes', '../../../ports/flags', '../../serve/document', 'node:fs']],
  ['openapi.ts', ['./http/routes', './options', './router', './ports/storage', 'express']],
  ['errors.ts', ['./options', './domain/lifecycle', 'node:crypto', 'express']],
  ['cli.ts', ['./storage/knex/index', './router', './index', 'knex', 'node:util']],
  [
    'cli',
    [
      '../storage/memory',
      '../router',
      '../index',
      '../http/pipeline/reply',
      'express',
      'pg',
      'better-sqlite3',
      'node:net',
    ],
  ],
  ['cli/settle.ts', ['../router', '../index', '../http/pipeline/reply', '../storage/memory', 'express', 'knex']],
  ['check-options.ts', ['./errors', './ports/storage', 'express']],
]

const others: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['suspicious/noImportCycles', 'domain/planted-a.ts', "export { b } from './planted-b'\nexport const a = 1\n"],
  ['suspicious/noImportCycles', 'domain/planted-b.ts', "export { a } from './planted-a'\nexport const b = 1\n"],
  ['correctness/noUndeclaredDependencies', 'http/planted-dev.ts', "import 'supertest'\n"],
  ['style/noCommonJs', 'domain/planted-require.ts', "export const knex = require('knex')\n"],
  ['suspicious/noConsole', 'domain/planted-console.ts', "console.log('here')\n"],
  ['style/noRestrictedGlobals', 'http/planted-process.ts', "process.once('SIGTERM', () => {})\n"],
  ['style/noRestrictedGlobals', 'testing/planted-process.ts', 'export const url = process.env.URL\n'],
  ['style/noRestrictedGlobals', 'cli/planted-process.ts', 'export const url = process.env.DATABASE_URL\n'],
  ['style/noRestrictedGlobals', 'operations/planted-fetch.ts', "export const answer = fetch('https://example.com')\n"],
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

/** The findings of Biome in a copy of `src` with these files added or replaced. */
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

  it.each(forbidden)('forbids src/%s to import %p', (layer, sources) => {
    const lines = findings.filter(({ rule, file }) => rule === 'style/noRestrictedImports' && file === fileOf(layer))
    expect(lines.map(({ line }) => sources[line - 1]).sort()).toEqual([...sources].sort())
  })

  it.each(others)('enforces %s in src/%s', (rule, file) => {
    expect(findings).toContainEqual({ rule, file, line: expect.any(Number) })
  })
})
