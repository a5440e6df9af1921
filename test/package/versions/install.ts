import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isNightly } from '../../support/nightly'
import { temporaryFolder } from '../support/folders'

/** The npm of the Node that runs the tests, which another Node can run. */
export const npm = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')

/**
 * Installs packages into an empty folder with a Node, whose version decides which binaries are loaded. Undefined where that is
 * not possible: without a registry, or without a compiler for a package that has no binary.
 */
export function install(packages: readonly string[], node = process.execPath): string | undefined {
  if (!isNightly || !existsSync(npm)) return undefined
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{}')
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`
  try {
    const args = [npm, 'install', '--no-audit', '--no-fund', ...packages]
    execFileSync(node, args, { cwd: folder, env: { ...process.env, PATH }, stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}

/** The program of a version of Node from the registry. */
export function installNode(version: string): string | undefined {
  const folder = install([`node@${version}`])
  const program = folder === undefined ? '' : join(folder, 'node_modules/node/bin/node')
  return existsSync(program) ? program : undefined
}
