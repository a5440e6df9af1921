import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolders, root } from '../support/folders'
import { packTarball } from '../support/hosts'
import { install, installNode } from './install'

const entry = `${root}/dist/storage/handles/sqlite/index.js`
const stores = `
  const { createChangeRequestRouter } = require('${root}')
  const { sqliteStorage } = require('${entry}')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(':memory:')
  const router = createChangeRequestRouter({ storage: sqliteStorage({ database }), authenticate: () => null })
  void (async () => {
    await router.migrate()
    await router.events.record({ type: 'feature-updated', createdBy: 'ann', featureName: 'checkout' })
    database.exec('begin')
    await router.events.record({ type: 'feature-archived', createdBy: 'ann' }, { transaction: database })
    database.exec('rollback')
    const { events } = await router.events.read()
    await router.close()
    process.stdout.write(events.map(({ type }) => type).join())
  })()`
const rejects = (database: string) => `
  const { sqliteStorage } = require('${entry}')
  try { sqliteStorage({ database: ${database} }) } catch (error) { process.stdout.write(error.message) }`
const message =
  'sqliteStorage: option "database" must be a Database of better-sqlite3, or a DatabaseSync of node:sqlite (Node 22.16 or later).'

afterAll(removeFolders)

function run(program: string, code: string, cwd = root) {
  const { stdout, stderr } = spawnSync(program, ['-e', code], { cwd, encoding: 'utf8' })
  return { stdout, warns: stderr.includes('ExperimentalWarning: SQLite') }
}

describe.each([
  ['22', true],
  ['24', false],
] as const)('node:sqlite of Node %s', (version, warns) => {
  const node = installNode(version)
  const itRuns = node === undefined ? it.skip : it
  itRuns(`stores events${warns ? ', and Node prints a warning' : ''}`, () => {
    expect(run(node ?? '', stores)).toEqual({ stdout: 'feature-updated', warns })
  })
})

describe('the command line without better-sqlite3', () => {
  const programs = ['22.15.0', '24'].map((version) => [version, installNode(version)] as const)
  const folder = programs[0]?.[1] === undefined ? undefined : install([packTarball()])
  const itRuns = folder === undefined ? it.skip : it
  const migrate = (node = '') => {
    const args = ['node_modules/express-change-requests/dist/cli.js', 'migrate', '--connection', 'app.sqlite']
    const { stdout, stderr, status } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' })
    return { text: `${stdout}${stderr}`, status }
  }

  itRuns('names it before Node 22.16, and uses node:sqlite from then on', () => {
    const [before, after] = programs.map(([, node]) => migrate(node))
    expect(before).toEqual({ text: expect.stringContaining('npm install better-sqlite3\n'), status: 1 })
    expect(after).toEqual({ text: expect.stringMatching(/^SQLite app\.sqlite: schema version 0 to \d+\n$/), status: 0 })
  })
})

describe('sqliteStorage rejects, with the databases that it takes', () => {
  const old = installNode('22.15.0')
  ;(old === undefined ? it.skip : it)('node:sqlite before Node 22.16', () => {
    const database = `new (require('node:sqlite').DatabaseSync)(':memory:')`
    expect(run(old ?? '', rejects(database)).stdout).toBe(message)
  })

  const libsql = install(['libsql@0.5'])
  ;(libsql === undefined ? it.skip : it)('libsql', () => {
    expect(run(process.execPath, rejects(`new (require('libsql'))(':memory:')`), libsql).stdout).toBe(message)
  })

  const folder = install(['@oven/bun-linux-x64@1'])
  const bun = join(folder ?? '', 'node_modules/@oven/bun-linux-x64/bin/bun')
  ;(folder === undefined || !existsSync(bun) ? it.skip : it)('the Database of Bun', () => {
    expect(run(bun, rejects(`new (require('bun:sqlite').Database)(':memory:')`)).stdout).toBe(message)
  })
})
