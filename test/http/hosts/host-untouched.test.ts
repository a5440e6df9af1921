import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { version } from 'express/package.json'
import { dependencies } from '../../../package.json'
import { runNode, stopAll } from '../../package/support/child'
import { removeFolders, root, temporaryFolder } from '../../package/support/folders'
import { databases, type OpenDatabase } from '../../support/databases'

const major = version.startsWith('4') ? 'express4' : 'express'

/** A separate package with the built router and the dependencies of a host. */
function makeHost(): string {
  const host = temporaryFolder()
  const target = join(host, 'node_modules/express-change-requests')
  mkdirSync(target, { recursive: true })
  for (const part of ['dist', 'schemas', 'package.json']) {
    cpSync(join(root, part), join(target, part), { recursive: true })
  }
  const brought = [...Object.keys(dependencies), 'knex', 'better-sqlite3', 'pg', 'compression', 'helmet']
  for (const [name, source] of [['express', major] as const, ...brought.map((name) => [name, name] as const)]) {
    symlinkSync(join(root, 'node_modules', source), join(host, 'node_modules', name))
  }
  cpSync(join(root, 'test/support/untouched-host.cjs'), join(host, 'host.cjs'))
  return host
}

const answers = {
  change: 200,
  log: 200,
  head: 200,
  compressed: 200,
  invalid: 400,
  malformed: 400,
  badPath: 400,
  tooLarge: 413,
  text: 415,
  nobody: 401,
  broken: 503,
  mine: 200,
  nothing: 404,
}

describe(`The host owns process, server, signals, pool and logger: a process with Express ${version}`, () => {
  const opened: OpenDatabase[] = []

  let host: string

  beforeAll(() => {
    host = makeHost()
  })

  afterEach(async () => {
    await stopAll()
    for (const database of opened.splice(0)) await database.close()
  })

  afterAll(removeFolders)

  const storages = [
    { name: 'memory', place: async () => ({}) },
    ...databases.map(({ name, open }) => ({
      name,
      place: async () => {
        const database = await open({ migrate: false })
        opened.push(database)
        return database.place
      },
    })),
  ]

  it.each(storages)(
    'serves from $name, is silent and unchanged, and ends by itself once all is closed',
    async ({ place }) => {
      const { exit } = runNode(['host.cjs', JSON.stringify(await place())], { cwd: host })
      const { status, stdout, stderr } = await exit
      // Standard output contains only the report, otherwise it would not be JSON.
      expect({ status, stderr, ...JSON.parse(stdout || '{}') }).toEqual({
        status: 0,
        stderr: '',
        express4: major === 'express4',
        answers,
        changed: [],
      })
    },
  )
})
