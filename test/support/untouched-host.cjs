const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const compression = require('compression')
const express = require('express')
const helmet = require('helmet')

const key = 'user:a-key-of-this-host'
const changeRequests = '/api/admin/projects/shop/environments/production/change-requests'
const change = JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } })

/** Everything that a library could change in the process and in Express: the properties by name. */
function takeStock(app) {
  const objects = {
    globalThis,
    console,
    process,
    'process.stdout': process.stdout,
    'process.stderr': process.stderr,
    'express.request': express.request,
    'express.response': express.response,
    'express.application': express.application,
    'express.Router': express.Router,
    'IncomingMessage.prototype': http.IncomingMessage.prototype,
    'ServerResponse.prototype': http.ServerResponse.prototype,
    'EventEmitter.prototype': EventEmitter.prototype,
    'app.locals': app.locals,
    'app.settings': app.settings,
  }
  for (const name of ['Object', 'Array', 'Function', 'Promise', 'Error', 'String', 'Date', 'Map', 'JSON']) {
    objects[name] = globalThis[name]
    if (globalThis[name].prototype) objects[`${name}.prototype`] = globalThis[name].prototype
  }
  const stock = new Map()
  for (const [name, object] of Object.entries(objects)) {
    for (const property of Reflect.ownKeys(object)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(object, property)
      // Node counts and caches in private fields, which begin with an underscore or are symbols.
      const internal = typeof property === 'symbol' || property.startsWith('_')
      stock.set(`${name}.${String(property)}`, internal ? 'there' : (get ?? set ?? value))
    }
  }
  for (const emitter of [process, process.stdout, process.stderr]) {
    const name = emitter === process ? 'process' : `fd ${emitter.fd}`
    for (const event of emitter.eventNames()) stock.set(`${name} on ${String(event)}`, emitter.listenerCount(event))
  }
  return stock
}

function differences(before, after) {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)))
}

/** The response to each of these requests. */
async function serve(port) {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const send = (method, path, body, more = {}) =>
    new Promise((resolve, reject) => {
      const sent = http.request({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...more },
        agent: false,
      })
      sent.on('error', reject)
      sent.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
      sent.end(body)
    })
  return {
    change: await send('POST', changeRequests, change),
    log: await send('GET', '/api/admin/events?project=shop'),
    head: await send('HEAD', '/api/admin/events'),
    compressed: await send('GET', '/api/admin/events?project=shop', undefined, { 'Accept-Encoding': 'gzip' }),
    invalid: await send('POST', changeRequests, '{}'),
    malformed: await send('POST', changeRequests, '{'),
    badPath: await send('POST', '/api/admin/projects/%zz/environments/e/change-requests', change),
    tooLarge: await send('POST', changeRequests, `"${'x'.repeat(200_000)}"`),
    text: await send('POST', changeRequests, 'x', { 'Content-Type': 'text/plain' }),
    nobody: await send('GET', '/api/admin/events', undefined, { Authorization: 'nobody' }),
    broken: await send('GET', '/api/admin/events', undefined, { 'X-Broken': '1' }),
    mine: await send('GET', '/mine'),
    nothing: await send('GET', '/nothing'),
  }
}

/** @returns the storage, and how the host closes what it has opened for it */
function openStorage({ knex: config, storage }) {
  const { memoryStorage } = require('express-change-requests')
  if (config === undefined) return { storage: memoryStorage(), destroy: async () => undefined }
  const knex = require('knex')(config)
  const { knexStorage } = require('express-change-requests/knex')
  return { storage: knexStorage({ knex, ...storage }), destroy: () => knex.destroy() }
}

/** The host loads its own modules first, so that only changes by the router follow. */
async function warmUp({ knex: config }) {
  if (config === undefined) return
  const knex = require('knex')(config)
  await knex.raw('select 1')
  await knex.destroy()
}

function newRouter(storage) {
  const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
  const known = apiKeys([{ key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }])
  const authenticate = (req) => {
    if (req.headers['x-broken']) throw new Error('no users today')
    return known(req)
  }
  return createChangeRequestRouter({ storage, authenticate, logger: false })
}

async function listen(app) {
  const server = http.createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function main(place) {
  const app = express().set('env', 'test').use(compression(), helmet())
  await warmUp(place)
  // A first request, because Node and Express load and cache on it.
  const early = await listen(app)
  await serve(early.address().port)
  early.close()

  const before = takeStock(app)
  const { storage, destroy } = openStorage(place)
  const router = newRouter(storage)
  app.use(router)
  app.get('/mine', (_req, res) => res.end('mine'))
  await router.migrate()
  const data = { filler: 'x'.repeat(300) }
  const events = Array.from({ length: 1_000 }, () => ({ type: 'feature-updated', project: 'shop', data }))
  for (let written = 0; written < 8_000; written += events.length) await router.events.record(events)
  const server = await listen(app)
  const answers = await serve(server.address().port)
  const changed = differences(before, takeStock(app))
  server.close()
  await router.close()
  await destroy()
  process.stdout.write(JSON.stringify({ express4: typeof app.del === 'function', answers, changed }))
}

void main(JSON.parse(process.argv[2]))
