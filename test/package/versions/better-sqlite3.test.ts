import { execFileSync } from 'node:child_process'
import { removeFolders, root } from '../support/folders'
import { install, installNode } from './install'

/** The lowest and the highest of the peer's range, on Node of the nightly run, or on one from the registry. */
const hosts = [
  ['11.0.0', undefined],
  ['12', undefined],
  ['13', '24'],
] as const

const program = `
  const { createChangeRequestRouter } = require('${root}')
  const { sqliteStorage } = require('${root}/dist/storage/handles/sqlite/index.js')
  const Database = require('better-sqlite3')
  const database = new Database('app.sqlite')
  const storage = sqliteStorage({ database })
  const router = createChangeRequestRouter({ storage, authenticate: () => null })
  void (async () => {
    await router.migrate()
    await router.events.record({ type: 'feature-updated', createdBy: 'ann', featureName: 'checkout' })
    database.exec('begin')
    await router.events.record({ type: 'feature-archived', createdBy: 'ann' }, { transaction: database })
    database.exec('rollback')
    const { events } = await router.events.read()
    await router.close()
    process.stdout.write(JSON.stringify([events.map(({ type }) => type), process.versions.node.split('.')[0]]))
  })()`

afterAll(removeFolders)

describe.each(hosts)('better-sqlite3 %s', (version, nodeVersion) => {
  const node = nodeVersion === undefined ? process.execPath : installNode(nodeVersion)
  const folder = node === undefined ? undefined : install([`better-sqlite3@${version}`, `express@5`], node)
  const itRuns = folder === undefined ? it.skip : it
  itRuns(`stores events on Node ${nodeVersion ?? process.versions.node}`, () => {
    const printed = execFileSync(node ?? '', ['-e', program], { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual([['feature-updated'], nodeVersion ?? process.versions.node.split('.')[0]])
  })
})
