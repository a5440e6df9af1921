const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Agent, request } = require('node:http')
const { connect, createServer } = require('node:net')
const { after, before, it } = require('node:test')
const { text } = require('node:stream/consumers')
const express = require('express')
const { passEndToEnd } = require('../front/proxy/end-to-end')
const { createAgent, createProxy, createProxyError } = require('../front/proxy')
const { openServer } = require('./support/open-server')

const requests = 20

let server
const parts = []
/** How many connections the server got from the front. */
let connections = 0
let url

before(async () => {
  server = await openServer()
  const { port } = new URL(server.url)
  const relay = createServer((socket) => {
    connections += 1
    const onward = connect(port, '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) each.on('error', () => each.destroy())
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const target = `http://127.0.0.1:${relay.address().port}`
  const agent = createAgent(target)
  const app = express().use(passEndToEnd, createProxy({ url: target, agent, onError: createProxyError(console) }))
  const front = app.listen(0, '127.0.0.1')
  await once(front, 'listening')
  url = `http://127.0.0.1:${front.address().port}`
  parts.push(front, agent, relay)
})
after(async () => {
  const [front, agent, relay] = parts
  front?.close()
  front?.closeAllConnections()
  agent?.destroy()
  relay?.close()
  await server?.close()
})

async function get(agent, headers) {
  const sent = request(`${url}/health`, { agent, headers }).end()
  const [answer] = await once(sent, 'response')
  assert.match(await text(answer), /GOOD/)
  return { reused: sent.reusedSocket, headers: answer.headers }
}

it('connections to the server and to the client stay open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let reused = 0
  for (let index = 0; index < requests; index += 1) if ((await get(agent)).reused) reused += 1
  agent.destroy()
  assert.equal(reused, requests - 1)
  assert.ok(connections < requests / 2, `${connections} connections`)
})

it('the keep-alive header of the server is not forwarded to the client', async () => {
  const agent = new Agent({ keepAlive: true })
  const { headers } = await get(agent)
  agent.destroy()
  assert.equal(headers['keep-alive'], 'timeout=5')
})

it('a connection that the client closes is closed', async () => {
  const { headers } = await get(undefined, { Connection: 'close' })
  assert.equal(headers.connection, 'close')
})
