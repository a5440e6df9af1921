import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, temporaryFolder } from './folders'

/** Where the development dependencies are, which hosts borrow. */
export const installed = join(root, 'node_modules')

const brought = ['ajv', 'ajv-formats', 'fresh', 'knex', 'better-sqlite3', 'jest', '@types/node']

/** What differs between hosts: name in the host, name among our development dependencies. */
export type Brings = Readonly<Record<'express' | '@types/express', string>>

/** Packs the package as for a release, and returns the path of the tarball. */
export function packTarball(): string {
  const folder = temporaryFolder()
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }]
  return join(folder, filename)
}

/** A package of its own outside the repository, with the packed tarball and what a host brings. */
export function makeHost(tarball: string, brings: Brings): string {
  const host = temporaryFolder()
  cpSync(join(__dirname, '../hosts'), host, { recursive: true })
  writeFileSync(join(host, 'package.json'), '{}')
  const target = join(host, 'node_modules/express-change-requests')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
  for (const name of brought) borrow(host, name)
  for (const [name, source] of Object.entries(brings)) borrow(host, name, source)
  return host
}

/** Gives a package to a host as if it had been installed there. */
export function borrow(host: string, name: string, source = name): void {
  const link = join(host, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(installed, source), link)
}
