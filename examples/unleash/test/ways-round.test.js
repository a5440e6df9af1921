const assert = require('node:assert/strict')
const { once } = require('node:events')
const { createServer, request } = require('node:http')
const { connect } = require('node:net')
const { after, before, beforeEach, describe, it } = require('node:test')
const { text } = require('node:stream/consumers')
const express = require('express')
const { startFront } = require('../front')
const { createAgent, createProxy, createProxyError } = require('../front/proxy')
const { call, startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')

const project = '/api/admin/projects/default'
const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } }
/** The timeout of a test that could hang. */
const timeouts = { timeout: 600_000 }

let host
let ann
let root
let key
let flag

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  root = await host.addPerson({ username: 'root', role: 'Admin' })
  const wanted = { description: 'ann', expiresAt: new Date(Date.now() + 86_400_000) }
  key = (await ann.call('POST', '/api/admin/user/tokens', wanted)).body.secret
})
after(() => host?.stop())

beforeEach(async () => {
  flag = (await createFlag(host.client)).name
})

const strategiesPath = (environment) => `${project}/features/${flag}/environments/${environment}/strategies`

const strategiesIn = async (environment) => (await root.call('GET', strategiesPath(environment))).body

describe('attack: a body that hides one more request', () => {
  const port = () => new URL(host.url).port

  /** What the front answers to bytes. */
  async function send(bytes) {
    const socket = connect(port(), '127.0.0.1')
    socket.end(bytes)
    return text(socket)
  }

  function hidden() {
    const body = JSON.stringify(rollout)
    const head = `POST ${strategiesPath('production')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n`
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  }

  const carriers = ['OPTIONS /health', `DELETE ${project}/favorites`, `DELETE ${project}/features/none`]
  for (const carrier of carriers) {
    it(`does not reach the server after ${carrier}`, timeouts, async () => {
      const chunk = hidden()
      const headers = `Host: x\r\nAuthorization: ${key}\r\nConnection: keep-alive, Upgrade\r\nTransfer-Encoding: chunked\r\n`
      const answer = await send(
        `${carrier} HTTP/1.1\r\n${headers}\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
      )
      assert.match(answer, /^HTTP\/1.1 411 /)
      assert.deepEqual(await strategiesIn('production'), [])
    })
  }

  it('is refused with two lengths', timeouts, async () => {
    const headers = 'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n'
    assert.match(
      await send(`POST /api/admin/feedback HTTP/1.1\r\n${headers}\r\n0\r\n\r\n${hidden()}`),
      /^HTTP\/1.1 400 /,
    )
    assert.deepEqual(await strategiesIn('production'), [])
  })
})

describe('attack: a write that asks before it sends its body', () => {
  const write = async (person, environment) => {
    const body = JSON.stringify(rollout)
    const headers = {
      ...person,
      Expect: '100-continue',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    }
    const sent = request(`${host.url}${strategiesPath(environment)}`, { method: 'POST', headers })
    sent.end(body)
    const [answer] = await once(sent, 'response')
    await text(answer)
    return answer.statusCode
  }

  it('is checked, and forwarded with the checked body', timeouts, async () => {
    assert.equal(await write({ Authorization: key }, 'production'), 403)
    assert.equal(await write({ Authorization: key }, 'development'), 200)
    assert.equal((await strategiesIn('development')).length, 1)
    assert.deepEqual(await strategiesIn('production'), [])
  })
})

describe('attack: the server as its own client', () => {
  it('is called by no integration of an editor', async () => {
    const path = `/api/admin/projects/default/features/${flag}/environments/production/on`
    const parameters = { url: `${host.server.url}${path}`, authorization: key, bodyTemplate: '{}' }
    const webhook = { provider: 'webhook', enabled: true, description: '', events: ['feature-created'], parameters }
    assert.equal((await ann.call('POST', '/api/admin/addons', webhook)).status, 403)
    const harmless = { ...webhook, provider: 'slack-app', enabled: false, parameters: { accessToken: 'none' } }
    const { status, body } = await root.call('POST', '/api/admin/addons', harmless)
    assert.equal(status, 201)
    assert.equal((await ann.call('PUT', `/api/admin/addons/${body.id}`, webhook)).status, 403)
  })
})

describe('attack: a list of flags', () => {
  const path = `${project}/bulk_features/environments/production/on`
  const features = Array.from({ length: 501 }, (_, index) => `none-${index}`)

  it('is not read for callers who are not signed in', async () => {
    assert.equal((await call(host.url, 'POST', path, { features: 'no list' })).status, 401)
  })

  it('has a maximum length, because each flag is read from the server', async () => {
    assert.equal((await ann.call('POST', path, { features })).status, 400)
    const batch = { environments: features, variants: [] }
    assert.equal((await ann.call('PUT', `${project}/features/${flag}/variants-batch`, batch)).status, 400)
  })
})

describe('a front', () => {
  it('does not start with a token that is not an admin token', timeouts, async () => {
    const { url } = host.server
    const wanted = { url, token: key, databaseUrl: 'postgres://nobody@127.0.0.1:1/none', port: 0 }
    await assert.rejects(startFront(wanted), { message: 'The token for the Unleash server must be an admin token.' })
  })

  it('does not wait for a response without a limit', timeouts, async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${silent.address().port}`
    const onError = createProxyError({ error() {} })
    const app = express().use(createProxy({ url, agent: createAgent(url), onError, proxyTimeout: 50 }))
    const front = app.listen(0, '127.0.0.1')
    await once(front, 'listening')
    assert.equal((await call(`http://127.0.0.1:${front.address().port}`, 'GET', '/api/client/features')).status, 502)
    for (const server of [front, silent]) server.close()
  })
})
