import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolders, root } from '../support/folders'
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
