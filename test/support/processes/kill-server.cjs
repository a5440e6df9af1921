// A server with the built package, in a process that may be killed. Its argument is JSON:
//   knex, storage, handle  see open-handle.cjs
//   limits   of the router
//   point    where the process kills itself in the first commit after the start; see kill-points.cjs
// It prints `listening on http://host:port`. Callers are identified by the header x-user.
const { createServer } = require('node:http')
const express = require('express')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { dieAt } = require('./kill-points.cjs')
const { openHandle } = require('./open-handle.cjs')

const config = JSON.parse(process.argv[2])
const { storage, ...handle } = openHandle(config)

const router = createChangeRequestRouter({
  storage: config.point === undefined ? storage : dieAt(config.point, storage, handle),
  authenticate: ({ headers }) => ({
    id: Number(headers['x-user'] ?? 1),
    username: `user-${headers['x-user'] ?? 1}`,
    grants: [{ permission: 'ADMIN' }],
  }),
  limits: config.limits,
  logger: { debug() {}, info() {}, warn() {}, error: ({ err }, message) => console.error(message, err) },
})

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

router.migrate().then(() => {
  const app = express()
  app.get('/ping', (_req, res) => res.end('pong'))
  app.use(router)
  const server = createServer({ keepAliveTimeout: 0 }, app).listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`)
  })
})
