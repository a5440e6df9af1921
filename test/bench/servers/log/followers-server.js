const { createServer } = require('node:http')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const express = require('express')
const { serve } = require('../../support/child')
const { connect } = require('../../support/databases')
const { now } = require('../../support/followers')
const { mountOurs } = require('../../support/ours')
const { knexStorage } = require('../../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../../build/kernel/events/event-rows.js')

const { way, config, prefix } = JSON.parse(process.argv[2])
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const { app, storage, appended = () => {} } = { ours, bare }[way]()

serve(app, {
  /** Appends an event and returns when the commit was known. */
  async append(marker) {
    const rest = { createdBy: 'bench', createdByUserId: 1, environment: null, project: 'live', featureName: 'checkout' }
    const data = { marker, description: 'x'.repeat(500) }
    const event = { ...rest, type: 'feature-updated', createdAt: new Date().toISOString(), data, preData: null }
    const [row] = toEventRows([{ ...event, tags: [], ip: null, groupType: null, groupId: null }], '')
    await storage.appendEvents([row])
    const committed = now()
    appended(row)
    return committed
  },
  /** The memory in use, in bytes. */
  memory() {
    collectGarbage()
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return { used: heapUsed + external, rss: process.memoryUsage.rss() }
  },
})

function ours() {
  const app = express()
  return { app, storage: mountOurs(app, { config, prefixes: [prefix] })[prefix] }
}

/** Open responses of `node:http`, each written to directly. */
function bare() {
  const followers = new Set()
  const app = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/event-stream')
    res.write('id: 0\n\n')
    followers.add(res)
    res.on('close', () => followers.delete(res))
  })
  return {
    app,
    storage: knexStorage({ knex: connect(config), tablePrefix: prefix }),
    appended(row) {
      const block = Buffer.from(`id: 1\ndata: {"id":1,${row.json.slice(1)}\n\n`)
      for (const follower of followers) follower.write(block)
    },
  }
}
