const begin = performance.now()
const { config, prefix, root } = JSON.parse(process.argv[2])
const express = require('express')
const createKnex = require('knex')

const app = express()
const knex = createKnex(config)
const table = `${prefix}changes`
const mounted = root === undefined ? undefined : mountOurs()
const startMs = performance.now() - begin

function mountOurs() {
  const { createChangeRequestRouter } = require(root)
  const { knexStorage } = require(`${root}/dist/storage/knex/index.js`)
  const authenticate = () => ({ id: 1, username: 'ann', grants: [{ permission: 'ADMIN' }] })
  const router = createChangeRequestRouter({ storage: knexStorage({ knex, tablePrefix: prefix }), authenticate })
  app.use(router)
  return router
}

const path = '/api/admin/projects/shop/environments/production/change-requests'
const listPath = '/api/admin/projects/shop/change-requests'
const change = JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } })

/** What a host would write itself: parse, insert, respond. */
function mountBare() {
  app.post(path, express.json(), async (req, res) => {
    await knex(table).insert({ data: JSON.stringify(req.body) })
    res.json({ data: req.body })
  })
  return knex.schema.createTable(table, (columns) => columns.text('data'))
}

async function main() {
  await (mounted === undefined ? mountBare() : mounted.migrate())
  app.get(listPath, async (_req, res) => res.json({ rows: await knex(table).select().limit(10) }))
  // The measured requests must not include the first connection or the first use of Node's client.
  app.get('/ready', (_req, res) => res.end())
  const server = app.listen(0, '127.0.0.1')
  await require('node:events').once(server, 'listening')
  const { port } = server.address()
  await ask(port, 'GET', '/ready')
  const firstGetMs = await ask(port, 'GET', listPath)
  const firstPostMs = await ask(port, 'POST', path, change)
  server.close()
  await knex.destroy()
  process.stdout.write(JSON.stringify({ toFirstGetMs: startMs + firstGetMs, firstPostMs }))
}

function ask(port, method, where, body) {
  const { request } = require('node:http')
  const headers = { 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = performance.now()
    const req = request({ host: '127.0.0.1', port, method, path: where, headers, agent: false }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`${method} ${where} answered ${res.statusCode}.`))
      res.resume().on('end', () => resolve(performance.now() - sent))
    })
    req.on('error', reject).end(body)
  })
}

void main()
