const { fork } = require('node:child_process')
const { once } = require('node:events')
const { get } = require('node:http')
const { parseArgs } = require('node:util')
const createKnex = require('knex')
const express = require('express')
const { apiKeys, createChangeRequestRouter } = require('../../dist')
const { knexStorage } = require('../../dist/storage/knex')
const { fill, originalOf, people } = require('./support/applied')
const { openDatabase } = require('./support/databases')

/*
 * Measures the export of change requests by a server in a process of its own: how long it takes, and how much the memory of the
 * server grows. `node test/bench/export.js --database sqlite --requests 100000`, after `npm run build`. Each change request has
 * nine events. The exit code is 1 if a limit is missed.
 */

const growthMb = 150
const path = '/api/admin/export/change-requests'

/** The server, which reports how much its memory has grown since its first response. */
async function serve(config) {
  const knex = createKnex(config)
  const router = createChangeRequestRouter({
    storage: knexStorage({ knex }),
    authenticate: apiKeys(people),
    recordOnly: true,
    logger: false,
    users: { find: (ids) => people.map(({ user }) => user).filter(({ id }) => ids.includes(id)), reviewers: () => [] },
  })
  const server = express()
    .use(router)
    .listen(0, () => process.send({ port: server.address().port }))
  let [start, most] = [0, 0]
  process.on('message', () => {
    process.send({ growth: (most - start) / 2 ** 20 })
    start = process.memoryUsage.rss()
    most = start
  })
  setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
}

async function read(port, query) {
  const [answer] = await once(get({ port, path: path + query, headers: { Authorization: people[0].key } }), 'response')
  let [bytes, last] = [0, '']
  for await (const chunk of answer) {
    bytes += chunk.length
    last = (last + chunk.toString('latin1')).slice(-1_000)
  }
  const { trailer } = JSON.parse(last.trimEnd().split('\n').at(-1))
  return { bytes, ...trailer }
}

async function main({ database, requests }) {
  const { config, close } = await openDatabase(database)
  const knex = createKnex({ ...config, ...(database === 'postgres' && { pool: { min: 0, max: 20 } }) })
  let server
  try {
    const storage = knexStorage({ knex })
    await storage.migrate()
    await fill(storage, await originalOf(storage), requests - 1)
    const { lastEventId: events } = await storage.health()
    server = fork(__filename, ['--child', JSON.stringify(config)])
    const [{ port }] = await once(server, 'message')
    const growthSince = async () => {
      server.send('measure')
      return (await once(server, 'message'))[0].growth
    }
    await read(port, `?after=${requests - 200}`)
    await growthSince()
    for (const query of ['', '?changedFrom=2000-01-01', '?changedFrom=2999-01-01']) {
      const start = performance.now()
      const { count, bytes } = await read(port, query)
      const seconds = (performance.now() - start) / 1_000
      const growth = await growthSince()
      console.log(database, { query, count, events, bytes, seconds, growthMb: growth })
      if (growth > growthMb) process.exitCode = 1
    }
  } finally {
    server?.kill()
    await knex.destroy()
    await close()
  }
}

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    requests: { type: 'string', default: '100000' },
    child: { type: 'string' },
  },
})
if (values.child === undefined) void main({ database: values.database, requests: Number(values.requests) })
else void serve(JSON.parse(values.child))
