const { change } = require('../support/changes')
const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure } = require('../support/figures')

const sampleMs = 600
/** A change request gets this number of changes before the next one. */
const size = 10
const handles = { postgres: ['pg.Pool', 'knex', 'kysely'], sqlite: ['better-sqlite3', 'knex'] }
const project = '/api/admin/projects/shop'

let runs = 0

/** A write and two reads of one caller on each handle of the host app; the first handle counts as ours. */
async function benchHandles({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    const [first, ...others] = handles[name]
    try {
      for (const handle of [first, ...others]) {
        servers[handle] = await startServer('handles-server.js', { handle, config: database.config })
        await measure(servers[handle], writes(), 1_500)
      }
      for (const [what, next] of Object.entries({ 'a write': writes, 'a read': reads, 'a search': search })) {
        const ways = Object.fromEntries([first, ...others].map((handle) => [handle === first ? 'ours' : handle, []]))
        for (let round = 0; round < rounds; round += 1) {
          for (const handle of [first, ...others]) {
            ways[handle === first ? 'ours' : handle].push(await measure(servers[handle], next()))
          }
        }
        figure({ name: `${what}, against ${first}`, database: name, unit: '1/s', ways })
      }
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

const headers = { 'Content-Type': 'application/json' }

function writes() {
  const run = ++runs
  const path = (n) => `${project}/environments/e${run}-${Math.floor(n / size)}/change-requests`
  return (_caller, n) => requestBytes('POST', path(n), headers, change(n))
}

const reads = () => () => requestBytes('GET', `${project}/change-requests/1`, {})
/** With another parameter each time, so that no answer is reused. */
const search = () => (_caller, n) =>
  requestBytes('GET', `/api/admin/search/events?project=IS%3Ashop&limit=${100 - (n % 2)}`, {})

async function measure({ port }, next, ms = sampleMs) {
  return (await load(port, { callers: 1, ms, next })).perSecond
}

module.exports = { benchHandles }
