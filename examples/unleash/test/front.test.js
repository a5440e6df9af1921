const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { table } = require('../routes/table')
const { call, startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')
const { version } = require('./support/version')

const project = '/api/admin/projects/default'
const production = 'environments/production'
const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } }

let host
let ann
let root
let flag

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  root = await host.addPerson({ username: 'root', role: 'Admin' })
})
after(() => host?.stop())

beforeEach(async () => {
  flag = (await createFlag(host.client)).name
})

const addStrategy = (environment) =>
  host.client.send('POST', `projects/default/features/${flag}/environments/${environment}/strategies`, rollout)

const strategiesIn = (environment) =>
  host.client.send('GET', `projects/default/features/${flag}/environments/${environment}/strategies`)

/** Routes that other supported versions do not have. */
const ofSomeVersions = {
  'POST /api/admin/events/search': ['6.10'],
  'POST /api/admin/ui-config': ['6.10'],
  'PUT /api/admin/projects/:/features/:/variants': ['6.10'],
  'PATCH /api/admin/projects/:/features/:/variants': ['6.10'],
  'POST /api/admin/projects/:/context': ['7.5', '8.2'],
  'PUT /api/admin/projects/:/context/:': ['7.5', '8.2'],
  'DELETE /api/admin/projects/:/context/:': ['7.5', '8.2'],
  'POST /api/admin/projects/:/context/:/legal-values': ['7.5', '8.2'],
  'DELETE /api/admin/projects/:/context/:/legal-values/:': ['7.5', '8.2'],
  'POST /api/admin/projects/:/context/validate': ['7.5', '8.2'],
  'POST /api/client/metrics/custom': ['7.5'],
  'POST /edge/issue-token': ['7.5', '8.2'],
}

describe('the table of routes', () => {
  it('is that of the server', async () => {
    const { paths } = (await call(host.server.url, 'GET', '/docs/openapi.json')).body
    const writes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, ':').replace(/\/$/, '')}`),
    )
    const known = table.map(({ route }) => route.replaceAll(/:\w+/g, ':'))
    const expected = known.filter((route) => ofSomeVersions[route]?.includes(version) ?? true)
    // The sign-out route is not in the OpenAPI document of the server.
    assert.deepEqual(new Set(expected), new Set([...writes, 'POST /logout']))
  })
})

describe('permission to write', () => {
  it('an editor in an environment without change requests', async () => {
    const path = `${project}/features/${flag}/environments/development/strategies`
    assert.equal((await ann.call('POST', path, rollout)).status, 200)
    assert.equal((await strategiesIn('development')).length, 1)
  })

  it('an editor only the texts of a flag', async () => {
    const path = `${project}/features/${flag}`
    const texts = { description: 'What it is for.', type: 'release', impressionData: false }
    assert.equal((await ann.call('PUT', path, texts)).status, 200)
    assert.equal((await ann.call('PUT', path, { ...texts, stale: true })).status, 403)
    assert.equal((await ann.call('PUT', path, { ...texts, impressionData: true })).status, 403)
    const patch = (key, value) => ann.call('PATCH', path, [{ op: 'replace', path: `/${key}`, value }])
    assert.equal((await patch('description', 'Other.')).status, 200)
    assert.equal((await patch('stale', true)).status, 403)
  })

  it('an editor no texts that would bring back a stale or archived flag', async () => {
    const path = `projects/default/features/${flag}`
    await host.client.send('PATCH', path, [{ op: 'replace', path: '/stale', value: true }])
    assert.equal((await ann.call('PUT', `/api/admin/${path}`, { description: 'x' })).status, 403)
    await host.client.send('DELETE', path)
    assert.equal((await ann.call('PUT', `/api/admin/${path}`, { description: 'x', stale: true })).status, 404)
  })

  it('an admin in production', async () => {
    assert.equal((await root.call('POST', `${project}/features/${flag}/${production}/strategies`, rollout)).status, 200)
    assert.equal((await strategiesIn('production')).length, 1)
  })

  it('no token without a review, and tokens have no drafts', async () => {
    const path = `${project}/features/${flag}/${production}/on`
    const { status } = await call(host.url, 'POST', path, undefined, { Authorization: host.server.token })
    assert.equal(status, 403)
  })

  it('no caller who is not signed in', async () => {
    const path = `${project}/features/${flag}/${production}/on`
    assert.equal((await call(host.url, 'POST', path)).status, 401)
  })

  it('no other site with the cookie of a signed-in user', async () => {
    const path = `${project}/environments/production/change-requests`
    const change = { action: 'updateEnabled', feature: flag, payload: { enabled: true } }
    for (const Origin of ['https://evil.example', 'null']) {
      assert.equal((await ann.call('POST', path, change, { Origin })).status, 403)
    }
  })

  it('no caller by a route that is unknown to the front', async () => {
    const { status, body } = await root.call('POST', `${project}/features/${flag}/changeProject`, { newProjectId: 'x' })
    assert.equal(status, 403)
    assert.match(body.message, /changeProject/)
  })
})

describe('attack: a path whose parts do not belong together', () => {
  const other = 'environments/development'

  it('deletes no strategy of another environment', async () => {
    const { id } = await addStrategy('production')
    assert.equal((await ann.call('DELETE', `${project}/features/${flag}/${other}/strategies/${id}`)).status, 404)
    assert.equal((await strategiesIn('production')).length, 1)
  })

  it('orders no strategies of another environment', async () => {
    const { id } = await addStrategy('production')
    const path = `${project}/features/${flag}/${other}/strategies/set-sort-order`
    assert.equal((await ann.call('POST', path, [{ id, sortOrder: 9 }])).status, 404)
  })

  it('gives no strategy of another environment a segment', async () => {
    const { id } = await addStrategy('production')
    const body = { projectId: 'default', environmentId: 'development', strategyId: id, segmentIds: [] }
    assert.equal((await ann.call('POST', '/api/admin/segments/strategies', body)).status, 403)
  })

  it('switches no flag of another project', async () => {
    assert.equal((await ann.call('POST', `/api/admin/projects/other/features/${flag}/${other}/on`)).status, 404)
    const names = { features: [flag] }
    assert.equal((await ann.call('POST', '/api/admin/projects/other/archive', names)).status, 404)
  })
})

describe('the choices of an editor', () => {
  it('are the projects, segments and context fields of the server', async () => {
    await host.client.send('POST', 'segments', { name: `${flag}-testers`, constraints: [] })
    const read = async (path) => (await ann.call('GET', path)).body
    const { segments } = await read(`${project}/${production}/segments?query=${flag}-TEST`)
    assert.deepEqual(
      segments.map(({ name }) => name),
      [`${flag}-testers`],
    )
    const { fields } = await read(`${project}/context-fields`)
    assert.ok(fields.some(({ name, stickiness }) => name === 'sessionId' && stickiness))
    const { places, complete } = await read('/api/admin/places')
    assert.deepEqual([places.map((place) => place.project), complete], [['default'], true])
  })
})

describe('the log of the front', () => {
  it('has writes that skip the review', async () => {
    const of = (events) =>
      events.filter(({ type }) => type === 'feature-strategy-add').map(({ environment }) => environment)
    await addStrategy('development')
    await root.call('POST', `${project}/features/${flag}/${production}/strategies`, rollout)
    const read = async () => of((await ann.call('GET', `/reviewed/api/admin/events/${flag}`)).body.events)
    while ((await read()).length < 2) await delay(50)
    assert.deepEqual((await read()).sort(), ['development', 'production'])
  })
})

describe('the log of the process', () => {
  it('has who skipped the review, and why', async (t) => {
    const { mock } = t.mock.method(process.stderr, 'write', () => true)
    const write = (environment) =>
      root.call('POST', `${project}/features/${flag}/${environment}/strategies`, rollout, {
        'Change-Request-Skip-Reason': 'Nobody%20can%20pay',
      })
    await write('environments/development')
    await write(production)
    const lines = mock.calls.map(({ arguments: [line] }) => line).filter((line) => line.includes('skipped the review'))
    const { by, reason, path, environment } = JSON.parse(lines.join(''))
    const wanted = { by: 'root', reason: 'Nobody can pay', environment: 'production' }
    assert.deepEqual({ by, reason, environment }, wanted)
    assert.equal(path, `${project}/features/${flag}/${production}/strategies`)
  })
})

describe('what the server serves by itself', () => {
  it('passes: its page, its log, and its SDK routes', async () => {
    assert.match((await call(host.url, 'GET', '/projects/default')).body, /<html/)
    assert.ok((await ann.call('GET', '/api/admin/search/events')).body.total > 0)
    const sdk = await call(host.url, 'GET', '/api/client/features', undefined, {
      Authorization: host.server.clientTokens[0],
    })
    assert.equal(sdk.status, 200)
  })
})
