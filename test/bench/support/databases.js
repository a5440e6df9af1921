const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const createKnex = require('knex')

/**
 * Starts a database for a run: an embedded Postgres, or a SQLite file in a temporary folder. `config` lets any process
 * connect to it.
 */
async function openDatabase(name) {
  if (name === 'postgres') {
    const { startPostgres } = await import('../../support/databases/postgres-up.mjs')
    const { server, url, port } = await startPostgres()
    return { name, config: { client: 'pg', connection: url }, url, port, close: () => server.stop() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'change-requests-bench-'))
  const config = {
    client: 'better-sqlite3',
    connection: { filename: join(folder, 'bench.sqlite') },
    useNullAsDefault: true,
  }
  return { name, config, close: () => rm(folder, { recursive: true, force: true }) }
}

/** Knex as a host would create it; for Postgres with ten connections. */
function connect(config) {
  return createKnex(config.client === 'pg' ? { ...config, pool: { min: 0, max: 10 } } : config)
}

module.exports = { openDatabase, connect }
