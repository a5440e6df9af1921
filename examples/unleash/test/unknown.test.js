const assert = require('node:assert/strict')
const { after, afterEach, before, beforeEach, describe, it, mock } = require('node:test')
const { startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')

const project = '/api/admin/projects/default'

/** What the log of the process had when the front had started. */
let lines
let host
let ann
let root
let flag

/** Routes as a later server may have them: one is new, one is where the table has a parameter. */
const laterRoutes = {
  '/api/admin/later/{id}': { put: {}, get: {} },
  '/api/admin/splash/Later': { post: {}, summary: '' },
}

before(async () => {
  const written = mock.method(process.stderr, 'write', () => true)
  const alter = (path, body) =>
    path === '/docs/openapi.json' ? { ...body, paths: { ...body.paths, ...laterRoutes } } : body
  try {
    host = await startHost({ alter, freshMs: 0 })
  } finally {
    lines = written.mock.calls.map(({ arguments: [line] }) => line)
    written.mock.restore()
  }
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  root = await host.addPerson({ username: 'root', role: 'Admin' })
})
after(() => host?.stop())

beforeEach(async () => {
  flag = (await createFlag(host.client)).name
})
afterEach(() => host.alter())

describe('attack: a writing route that the table does not have', () => {
  it('is logged once, at the start', () => {
    const found = lines
      .filter((line) => line.includes('a writing route'))
      .map((line) => JSON.parse(line))
      .map(({ level, method, path }) => `${level} ${method} ${path}`)
    assert.deepEqual(found, ['warn PUT /api/admin/later/{id}', 'warn POST /api/admin/splash/Later'])
  })

  it('is refused, also to an admin, and where the table has a parameter', async () => {
    for (const [method, path] of [
      ['PUT', '/api/admin/later/1'],
      ['POST', '/api/admin/splash/later'],
      ['POST', '/api/admin/splash/LATER/'],
    ]) {
      const { status, body } = await root.call(method, path)
      assert.equal(status, 403, path)
      assert.match(body.message, /is unknown to the review/)
    }
    assert.equal((await root.call('POST', '/api/admin/splash/now')).status, 200)
  })
})

/** A change of answers of the server below a path. */
const at = (pattern, change) => (path, body) => (pattern.test(path) ? change(body) : body)
const overview = /\/projects\/default\/overview$/
const all = /\/api\/admin\/environments$/
const projects = /\/api\/admin\/projects$/

const shapes = {
  'the overview of the project is gone': at(overview, () => undefined),
  'it has no list': at(overview, ({ environments: _list, ...rest }) => rest),
  'it lists something else': at(overview, (body) => ({ ...body, environments: ['development', 'production'] })),
  'its list is empty': at(overview, (body) => ({ ...body, environments: [] })),
  'the list of all lacks production': at(all, ({ environments }) => ({
    environments: environments.filter(({ name }) => name !== 'production'),
  })),
  'the list of all is gone': at(all, () => undefined),
  'the list of all has other names': at(all, ({ environments }) => ({
    environments: environments.map(({ name: id, ...rest }) => ({ ...rest, id })),
  })),
  'the list of all has no types': at(all, ({ environments }) => ({
    environments: environments.map(({ type: _type, ...rest }) => rest),
  })),
  'the list of projects has another name': at(projects, ({ projects: items }) => ({ items })),
  'there are no projects': at(projects, (body) => ({ ...body, projects: [] })),
}

describe('attack: a place whose environments are unknown', () => {
  const importInto = (environment) => {
    const name = `${flag}-imported`
    const features = [{ name, type: 'release' }]
    const featureEnvironments = [{ name, featureName: name, environment, enabled: true }]
    const empty = {
      featureStrategies: [],
      contextFields: [],
      featureTags: [],
      segments: [],
      tagTypes: [],
      dependencies: [],
    }
    return { project: 'default', environment, data: { features, featureEnvironments, ...empty } }
  }
  const isThere = async (name) => (await host.client.find(`projects/default/features/${name}`)) !== undefined

  for (const [name, alter] of Object.entries(shapes)) {
    it(`is refused where ${name}`, async () => {
      host.alter(alter)
      const imported = await ann.call('POST', '/api/admin/features-batch/import', importInto('production'))
      assert.ok(imported.status >= 400, `${imported.status}`)
      const archived = await ann.call('POST', `${project}/archive`, { features: [flag] })
      assert.ok(archived.status >= 400, `${archived.status}`)
      assert.equal(await isThere(`${flag}-imported`), false)
      assert.equal(await isThere(flag), true)
    })
  }

  it('control: an admin can import', async () => {
    assert.equal((await root.call('POST', '/api/admin/features-batch/import', importInto('production'))).status, 200)
    assert.equal(await isThere(`${flag}-imported`), true)
  })
})
