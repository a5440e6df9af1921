// A Postgres of its own that may be stopped and started. Forked; sends its address when it is up, then answers each
// message `{ command: 'stop', mode }` or `{ command: 'start' }` when that is done. Ends with the process that forked it.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../databases/postgres-up.mjs'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' }
const { server, databaseDir, url } = await startPostgres()

const commands = {
  async stop({ mode }) {
    const gone = once(server.process, 'exit')
    server.process.kill(signals[mode])
    await gone
  },
  // After a kill the memory of the old one is still in use until its last child has noticed.
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
  process.exit()
})
process.send({ url })
