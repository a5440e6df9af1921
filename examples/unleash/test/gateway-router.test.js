const { deepEqual, equal, match } = require('node:assert/strict')
const { once } = require('node:events')
const { after, before, describe, it } = require('node:test')
const express = require('express')
const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const { unleashGateway } = require('../gateway')
const { startProxy } = require('./support/deadly-proxy')
const {
  createFlag,
  look,
  openServer,
  rollout,
  setMaintenance,
  strategiesOf: strategiesPath,
} = require('./support/open-server')

const grants = ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS'].map(
  (permission) => ({ permission }),
)
const authenticate = apiKeys([
  { key: 'user:ann', user: { id: 1, username: 'ann' }, grants },
  { key: 'user:ben', user: { id: 2, username: 'ben' }, grants },
])

let server
let router
let listener
/** Applies instead of the gateway, if there is one. */
let proxied

before(async () => {
  server = await openServer()
  const gateway = unleashGateway(server)
  await gateway.migrate()
  const flags = { ...gateway, apply: (...apply) => (proxied ?? gateway).apply(...apply) }
  const limits = { hookTimeoutMs: server.callTimeoutMs, applyTimeoutMs: 2 * server.callTimeoutMs }
  router = createChangeRequestRouter({ storage: knexStorage({ knex: server.knex }), authenticate, flags, limits })
  await router.migrate()
  listener = express().use(router).listen(0, '127.0.0.1')
  await once(listener, 'listening')
})

after(async () => {
  listener?.closeAllConnections()
  await new Promise((closed) => (listener ? listener.close(closed) : closed()))
  await router?.close()
  await server?.close()
})

async function send(key, method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${listener.address().port}/api/admin/${path}`, {
    method,
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') }
}

const strategiesOf = (name) => server.client.send('GET', strategiesPath(name))

/** Proposes changes as one person and applies them as another; the last answer. */
async function review(...changes) {
  const { status, body } = await send(
    'user:ann',
    'POST',
    'projects/default/environments/production/change-requests',
    changes,
  )
  if (status >= 400) return { status, body }
  const path = `projects/default/change-requests/${[body].flat()[0].id}`
  await send('user:ann', 'PUT', `${path}/state`, { state: 'In review' })
  await send('user:ben', 'PUT', `${path}/state`, { state: 'Approved' })
  const applied = await send('user:ben', 'PUT', `${path}/state`, { state: 'Applied' })
  return { path, ...applied }
}

describe('a change request for an Unleash server', () => {
  it('is applied with the default strategy that a flag needs, and is in the log', async () => {
    const { name } = await createFlag(server.client)
    const { status } = await review({ action: 'updateEnabled', feature: name, payload: { enabled: true } })
    equal(status, 200)
    const { enabled, strategies } = await look(server.client, name)
    deepEqual([enabled, strategies.map(({ parameters }) => parameters.rollout)], [true, ['100']])
    const { body } = await send('user:ann', 'GET', `events/${name}`)
    const types = body.events
      .filter(({ type }) => type.startsWith('feature-'))
      .map(({ type, createdBy }) => [type, createdBy])
    deepEqual(types, [
      ['feature-environment-enabled', 'ben'],
      ['feature-strategy-add', 'ben'],
    ])
  })

  it('disables a flag that loses its last strategy', async () => {
    const { name, ids } = await createFlag(server.client, { strategies: [rollout('10')], enabled: true })
    await review({ action: 'deleteStrategy', feature: name, payload: { id: ids[0] } })
    const { enabled, strategies } = await look(server.client, name)
    deepEqual([enabled, strategies], [false, []])
  })

  it('can be reverted where it added a strategy', async () => {
    const { name, ids } = await createFlag(server.client, { strategies: [rollout('10')], enabled: true })
    const payload = { ...rollout('20'), constraints: [] }
    const { path } = await review({ action: 'addStrategy', feature: name, payload })
    const { status, body } = await send('user:ann', 'POST', `${path}/revert`, {})
    equal(status, 200, body.message)
    const [{ action, payload: undone }] = body.features[0].changes
    const [added] = (await strategiesOf(name)).filter(({ id }) => !ids.includes(id))
    deepEqual([action, undone], ['deleteStrategy', { id: added.id }])
    await send('user:ann', 'DELETE', `projects/default/change-requests/${body.id}`)
  })

  it('is 503 in maintenance mode, stays Approved, and can be applied right after it', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    const change = { action: 'updateEnabled', feature: name, payload: { enabled: true } }
    await setMaintenance(server.client, true)
    const { status, body, path } = await review(change).finally(() => setMaintenance(server.client, false))
    deepEqual([status, body.name], [503, 'UnavailableError'])
    match(body.message, /maintenance mode.* Nothing was changed\. Try again later\.$/)
    deepEqual((await send('user:ann', 'GET', path)).body.state, 'Approved')
    equal((await send('user:ben', 'PUT', `${path}/state`, { state: 'Applied' })).status, 200)
  })

  it('is 503 if the maintenance begins during the apply, and is Approved immediately', async () => {
    const { name, ids } = await createFlag(server.client, { strategies: [rollout('10')] })
    const changes = [
      { action: 'updateEnabled', feature: name, payload: { enabled: true } },
      { action: 'updateStrategy', feature: name, payload: { id: ids[0], title: 'ours' } },
    ]
    const before = await look(server.client, name)
    const proxy = await startProxy(server.url, async ({ number, moment }) => {
      if (number === 1 && moment === 'after') await setMaintenance(server.client, true)
      return 'pass'
    })
    proxied = unleashGateway({ ...server, url: proxy.url })
    const { status, body, path } = await review(...changes).finally(() => setMaintenance(server.client, false))
    await proxy.close()
    proxied = undefined
    deepEqual([status, body.name], [503, 'UnavailableError'])
    match(body.message, /maintenance mode/)
    const { body: stored } = await send('user:ann', 'GET', `${path}/review`)
    deepEqual([stored.state, JSON.stringify(stored).includes('being-applied')], ['Approved', false])
    deepEqual(await unleashGateway(server).recover(), [])
    deepEqual(await look(server.client, name), before)
    equal((await send('user:ben', 'PUT', `${path}/state`, { state: 'Applied' })).status, 200)
  })

  it('has a conflict where the flag was archived', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    await server.client.send('POST', 'projects/default/archive', { features: [name] })
    const { status, path } = await review({ action: 'updateEnabled', feature: name, payload: { enabled: true } })
    const { body } = await send('user:ann', 'GET', path)
    deepEqual([status, body.features[0].conflict], [409, 'Feature has been archived'])
  })

  it('is rejected when it is proposed if the server does not support the action', async () => {
    const { name } = await createFlag(server.client)
    const { status } = await review({ action: 'addReleasePlan', feature: name, payload: { templateId: 'careful' } })
    equal(status, 400)
  })
})
