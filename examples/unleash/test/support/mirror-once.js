const knex = require('knex')
const { openLog, unleashMirror } = require('./mirror-log')

/** A process that copies events, and dies at the moment in its environment variables. */
async function main() {
  const { databaseUrl, moment, batch, ...options } = JSON.parse(process.env.MIRROR)
  const handle = knex({ client: 'pg', connection: databaseUrl })
  const { record } = openLog({ knex: handle })
  const die = () => process.kill(process.pid, 'SIGKILL')
  let batches = 0
  async function recordAndDie(events, options) {
    batches += 1
    if (batches === batch && moment === 'before it records') die()
    await record(events, options)
    if (batches === batch && moment === 'before it commits') die()
    if (batches === batch && moment === 'after it commits') options.transaction.executionPromise.then(die)
  }
  await unleashMirror({ ...options, knex: handle, record: recordAndDie }).run()
  await handle.destroy()
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})
