import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import { nightlyModules } from '../nightly-modules'
import type { OpenDatabase } from '.'

const driver = join(nightlyModules, 'mysql2')
const server = 'mariadbd'

/** Whether there are a MariaDB server in the path (`apt-get install mariadb-server`), and the driver in test/nightly. */
export const hasMariadb = existsSync(driver) && spawnSync(server, ['--no-defaults', '--version']).status === 0

/** A new server, with an empty database. It has no tables of the router: those are not in MySQL. */
export async function openMariadb(): Promise<Pick<OpenDatabase, 'knex' | 'close'> & { readonly config: Knex.Config }> {
  const folder = await mkdtemp(join(tmpdir(), 'change-requests-mariadb-'))
  const socketPath = join(folder, 'socket')
  const names = { datadir: folder, socket: socketPath, 'pid-file': join(folder, 'pid'), user: 'root' }
  const options = Object.entries(names).map(([name, value]) => `--${name}=${value}`)
  const args = ['--no-defaults', '--skip-grant-tables', '--skip-networking', ...options]
  const child = spawn(server, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('ready for connections')) resolve()
    })
    child.once('close', () => reject(new Error(`MariaDB ended before it was ready.\n${output}`)))
  })
  const first = createKnex({ client: Client, connection: { socketPath } })
  await first.raw('create database flags')
  await first.destroy()
  const config: Knex.Config = { client: Client, connection: { socketPath, database: 'flags' } }
  const knex = createKnex(config)
  return {
    knex,
    config,
    async close() {
      await knex.destroy()
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const Mysql2: typeof Knex.Client = require('knex/lib/dialects/mysql2')

/** Knex would look for the driver next to itself. */
class Client extends Mysql2 {
  _driver() {
    return require(driver)
  }
}
