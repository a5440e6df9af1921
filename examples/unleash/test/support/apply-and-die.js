const { once } = require('node:events')
const express = require('express')
const knex = require('knex')
const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const { unleashGateway } = require('../../gateway')

/** A process that applies the change request in its environment variables, and dies before the outcome is stored. */
async function main() {
  const { databaseUrl, key, user, path, limits, ...options } = JSON.parse(process.env.APPLICATION)
  const handle = knex({ client: 'pg', connection: databaseUrl })
  const storage = knexStorage({ knex: handle })
  const router = createChangeRequestRouter({
    storage: {
      ...storage,
      commit: (write) => (write.changeRequest.state === 'Applied' ? die() : storage.commit(write)),
    },
    authenticate: apiKeys([{ key, user, grants: [{ permission: 'ADMIN' }] }]),
    flags: unleashGateway({ ...options, knex: handle }),
    limits,
  })
  const listener = express().use(router).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const answer = await fetch(`http://127.0.0.1:${listener.address().port}/api/admin/${path}/state`, {
    method: 'PUT',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ state: 'Applied' }),
  })
  throw new Error(`It was answered: ${answer.status} ${await answer.text()}`)
}

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment; nothing must happen in it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
