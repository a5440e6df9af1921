// A separate Postgres that can be stopped and started. Forked; sends its address when it is up, then replies to each
// message `{ command: 'stop', mode }`, `{ command: 'start' }`, `{ command: 'copy' }` or `{ command: 'restore' }` when that
// is done. The data folder can be copied and restored while the server is stopped. Ends with the process that forked it.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../databases/postgres-up.mjs'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' }
const { server, databaseDir, url } = await startPostgres()

const copyDir = `${databaseDir}-copy`

/** With owners and permissions, which Postgres checks. */
function copyFolder(from, to) {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
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
  async stop({ mode }) {
    const gone = once(server.process, 'exit')
    server.process.kill(signals[mode])
    await gone
  },
  // After a kill the shared memory is in use until the last child of the old server has ended.
  async start() {
    for (;;) {
      await rm(join(databaseDir, 'postmaster.pid'), { force: true })
      const started = await server.start().then(
        () => true,
        () => false,
      )
      if (started) return
      await setTimeout(20)
    }
  },
}

process.on('message', async (message) => {
  await commands[message.command](message)
  process.send({ done: message.command })
})
process.on('disconnect', async () => {
  await server.stop()
  await rm(copyDir, { recursive: true, force: true })
  process.exit()
})
process.send({ url })
