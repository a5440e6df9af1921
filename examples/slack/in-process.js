const { once } = require('node:events')
const { createServer, request } = require('node:http')
const { duplexPair } = require('node:stream')
const express = require('express')

/** Only code of this process can set it: no header and no key can carry it. */
const caller = Symbol('caller')

/** Accepts the users of {@link fetchFrom}, and everyone whom `authenticate` accepts. */
function acceptCallers(authenticate) {
  return (req) => req[caller] ?? authenticate(req)
}

/**
 * A `fetch` for `createClient` that calls the router without a port.
 *
 * @param actor the user who calls; left out, `authenticate` decides as for any request
 */
function fetchFrom(router, actor) {
  const app = express()
  app.use((req, _res, next) => {
    req[caller] = actor
    next()
  }, router)
  const server = createServer(app)
  return async (url, { method, headers, body }) => {
    const [near, far] = duplexPair()
    server.emit('connection', far)
    const sent = request(url, { method, headers: { ...headers, Connection: 'close' }, createConnection: () => near })
    sent.end(body)
    const [response] = await once(sent, 'response')
    const bytes = Buffer.concat(await response.toArray())
    return new Response(bytes.length === 0 ? null : bytes, { status: response.statusCode, headers: response.headers })
  }
}

module.exports = { acceptCallers, fetchFrom }
