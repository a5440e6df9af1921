import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nightlyModules } from '../../support/nightly-modules'
import { runNode } from './child'
import { temporaryFolder } from './folders'
import { borrow } from './hosts'

export interface Bundle {
  /** A folder that holds the bundle and the driver of SQLite, and nothing else. */
  readonly folder: string
  readonly file: string
  readonly bytes: number
  /** The files that went into it, as they lie in the host. */
  readonly inputs: readonly string[]
}

/** Knex loads the driver of its client; the others are not installed. */
const drivers = [
  'better-sqlite3',
  'pg',
  'pg-query-stream',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'sqlite3',
  'tedious',
]

/** CommonJS inside of an ES module has no `require` unless it is given one. */
const givesRequire = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/** Bundles a file of a host with esbuild for Node, all but the drivers. */
export async function bundle(host: string, entry: string, format: 'cjs' | 'esm'): Promise<Bundle> {
  const folder = temporaryFolder()
  const file = format === 'cjs' ? 'bundle.cjs' : 'bundle.mjs'
  const out = join(folder, file)
  const meta = join(folder, 'meta.json')
  const options = ['--bundle', '--platform=node', `--format=${format}`, `--outfile=${out}`, `--metafile=${meta}`]
  if (format === 'esm') options.push(`--banner:js=${givesRequire}`)
  const command = join(nightlyModules, 'esbuild/bin/esbuild')
  const args = [entry, ...options, ...drivers.map((name) => `--external:${name}`), '--log-level=error']
  const { status, stderr } = await runNode(args, { command, cwd: host }).exit
  if (status !== 0) throw new Error(stderr)
  const { outputs } = JSON.parse(readFileSync(meta, 'utf8')) as { outputs: Record<string, { inputs: object }> }
  writeFileSync(join(folder, 'package.json'), '{}')
  borrow(folder, 'better-sqlite3')
  return {
    folder,
    file,
    bytes: readFileSync(out).length,
    inputs: Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  }
}
