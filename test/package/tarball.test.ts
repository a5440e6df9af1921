import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runNode } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

// Processes are started, and the machine may have others to serve.
jest.setTimeout(60_000)

const installed = join(root, 'node_modules')

/** A package of its own beside the repository, with the packed tarball and what a host brings. */
function makeHost(tarball: string, express: 'express' | 'express4'): string {
  const host = temporaryFolder()
  cpSync(join(__dirname, 'hosts'), host, { recursive: true })
  writeFileSync(join(host, 'package.json'), '{}')
  const target = join(host, 'node_modules/express-change-requests')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
  const modules = ['ajv', 'ajv-formats', 'knex', 'better-sqlite3', 'jest', '@types/express', '@types/node']
  for (const [name, source] of [['express', express] as const, ...modules.map((name) => [name, name] as const)]) {
    const link = join(host, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(installed, source), link)
  }
  return host
}

describe('the packed package, installed in a host of its own', () => {
  const hosts = { 'Express 5': '', 'Express 4': '' }

  beforeAll(() => {
    const folder = temporaryFolder()
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }]
    hosts['Express 5'] = makeHost(join(folder, filename), 'express')
    hosts['Express 4'] = makeHost(join(folder, filename), 'express4')
  })

  afterAll(removeFolders)

  it.each([
    ['Express 5', 'host.cjs'],
    ['Express 5', 'host.mjs'],
    ['Express 4', 'host.cjs'],
    ['Express 4', 'host.mjs'],
  ] as const)('takes a change and shows the log in %s by %s', async (express, file) => {
    const { stdout, stderr } = await runNode(['--no-warnings', file], { cwd: hosts[express] }).exit
    expect({ ...JSON.parse(stdout || '{}'), stderr }).toEqual({
      express4: express === 'Express 4',
      proposed: [200, 'Draft'],
      log: [200, ['change-added', 'change-request-created']],
      unknownKey: 401,
      refused: 'BadDataError',
      files: ['3.1.0', 'object'],
      stderr: '',
    })
  })

  it('has types for CommonJS and for ES modules, that refuse what the code refuses', async () => {
    const tsc = join(installed, 'typescript/bin/tsc')
    const { status, stdout } = await runNode([tsc, '-p', 'tsconfig.json'], { cwd: hosts['Express 5'] }).exit
    expect([stdout, status]).toEqual(['', 0])
  })

  it('runs in the Jest of a host, without a setting, and proves a storage and a mount there', async () => {
    const jest = join(installed, 'jest/bin/jest.js')
    const { status, stderr } = await runNode([jest], { cwd: hosts['Express 5'] }).exit
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  })
})
