const assert = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { startFront } = require('../front')
const { table } = require('../routes/table')
const { startAlteringProxy } = require('./support/altering-proxy')
const { call, startHost } = require('./support/host')
const { createFlag, look } = require('./support/open-server')
const { version } = require('./support/version')

/** Names of properties that are secrets, or lead to one. */
const secretNames = ['secret', 'inviteLink', 'resetPasswordUrl']
/** Reads whose secrets have no property of their own in the document: parameters of integrations can be keys. */
const secretPaths = ['/api/admin/addons', '/api/admin/addons/{id}', '/auth/reset/validate', '/api/admin/user']

let host
let root
let editor
let document

before(async () => {
  host = await startHost()
  root = await host.addPerson({ username: 'root', role: 'Admin' })
  editor = await host.addPerson({ username: 'ann', role: 'Editor' })
  document = (await call(host.server.url, 'GET', '/docs/openapi.json')).body
})
after(() => host?.stop())

const operations = (...methods) =>
  Object.entries(document.paths).flatMap(([path, all]) =>
    methods.filter((method) => all[method] !== undefined).map((method) => ({ method, path, operation: all[method] })),
  )

/** The path with values that exist nowhere. */
const fill = (path) => path.replaceAll(/\{[^}]+\}/g, 'none')

/** Whether a schema of the document has a property with a name. */
function hasProperty(schema, names, seen = new Set()) {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  const { $ref, properties = {} } = schema
  if ($ref !== undefined) return hasProperty(document.components.schemas[$ref.split('/').at(-1)], names, seen)
  if (Object.keys(properties).some((name) => names.includes(name))) return true
  return Object.values(schema).some((inner) => hasProperty(inner, names, seen))
}

describe('attack: every writing route of the OpenAPI document of the server', () => {
  it('changes no flag, segment, account or token if it is not listed as harmless', async (t) => {
    const harmless = new Set(table.filter(({ touches }) => touches === undefined).map(({ route }) => shapeOf(route)))
    const routes = operations('post', 'put', 'patch', 'delete').filter(
      ({ method, path }) => !harmless.has(shapeOf(`${method.toUpperCase()} ${path}`)),
    )
    assert.ok(routes.length > 40, `${routes.length}`)
    const { name } = await createFlag(host.client)
    const { id } = await host.client.send('POST', 'segments', { name: `${name}-segment`, constraints: [] })
    const values = { project: 'default', projectId: 'default', environment: 'production', featureName: name, id }
    const lookAround = async () => {
      const { stale, impressionData } = await host.client.send('GET', `projects/default/features/${name}`)
      const others = ['segments', 'user-admin', 'api-tokens', 'environments'].map((path) =>
        host.client.send('GET', path),
      )
      return JSON.stringify(
        [stale, impressionData, await look(host.client, name), ...(await Promise.all(others))],
        (key, value) => (/seenAt$/i.test(key) ? null : value),
      )
    }
    const before = await lookAround()
    for (const { method, path } of routes) {
      await t.test(`${method.toUpperCase()} ${path}`, async () => {
        const url = path.replaceAll(/\{([^}]+)\}/g, (_all, key) => values[key] ?? 'none')
        const { status } = await editor.call(method.toUpperCase(), url, { stale: true })
        // 400 and 404: the gate could not read the body, or found no such flag.
        assert.ok([400, 403, 404].includes(status), `${status}`)
        assert.equal(await lookAround(), before)
      })
    }
  })
})

const shapeOf = (route) => route.replaceAll(/:\w+|\{[^}]+\}/g, ':').replace(/\/$/, '')

describe('reads that return secrets', () => {
  it('are stored by no cache', async () => {
    const reads = operations('get').filter(
      ({ path, operation }) => secretPaths.includes(path) || hasProperty(operation.responses[200], secretNames),
    )
    assert.ok(reads.length > 10, `${reads.length}`)
    for (const { path } of reads) {
      const answer = await fetch(`${host.url}${fill(path)}`, { headers: { cookie: root.cookie } })
      await answer.arrayBuffer()
      assert.equal(answer.headers.get('cache-control'), 'no-store', path)
    }
  })

  it('are never answered by the front: a new token is in the next list', async () => {
    const list = async () =>
      (await root.call('GET', '/api/admin/api-tokens')).body.tokens.map(({ tokenName }) => tokenName)
    for (const tokenName of ['one', 'two', 'three']) {
      await host.client.send('POST', 'api-tokens', {
        type: 'client',
        environment: 'development',
        projects: ['*'],
        tokenName,
      })
      assert.ok((await list()).includes(tokenName))
    }
  })

  it('are not those that SDKs repeat, which keep their ETag', async () => {
    const headers = { Authorization: host.server.clientTokens[0] }
    const answer = await fetch(`${host.url}/api/client/features`, { headers })
    await answer.arrayBuffer()
    assert.notEqual(answer.headers.get('etag'), null)
    assert.notEqual(answer.headers.get('cache-control'), 'no-store')
  })
})

describe('an unknown version of the server', () => {
  const later = { '/api/admin/later/{id}': { put: {} } }
  const asLater = (path, body) => {
    if (path === '/api/admin/ui-config') return { ...body, version: '99.1.0' }
    if (path !== '/docs/openapi.json') return body
    return { ...body, info: { ...body.info, version: '99.1.0' }, paths: { ...body.paths, ...later } }
  }

  it('does not start, and names what would be blocked; starts if it is allowed', async () => {
    const altering = await startAlteringProxy(host.server.url)
    altering.alter(asLater)
    const { token, databaseUrl } = host.server
    const options = { url: altering.url, token, databaseUrl, port: 0, callTimeoutMs: 300_000 }
    try {
      await assert.rejects(startFront(options), {
        message: /^Unleash 99\.1\.0 was not tested .* blocks PUT \/api\/admin\/later\/\{id\}\.$/,
      })
      const front = await startFront({ ...options, allowUnknownVersion: true })
      try {
        const { status, body } = await call(front.url, 'GET', '/reviewed/health')
        assert.deepEqual([status, body.unleash.version, body.unleash.known], [200, '99.1.0', false])
        assert.equal((await call(front.url, 'PUT', '/api/admin/later/1', {}, { cookie: root.cookie })).status, 403)
      } finally {
        await front.stop()
      }
    } finally {
      await altering.stop()
    }
  })

  it('is not the tested one', async () => {
    const { body } = await call(host.url, 'GET', '/reviewed/health')
    assert.ok(body.unleash.known && body.unleash.version.startsWith(`${version}.`))
  })
})
