const assert = require('node:assert/strict')
const { after, before, it } = require('node:test')
const { gated } = require('../routes/gated')
const { call, startHost } = require('./support/host')
const { createRandom } = require('./support/random')

const writes = 200
const seed = Number(process.env.SEED || Math.floor(Math.random() * 2 ** 31))

let host
let ann

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
})
after(() => host?.stop())

/** Flags with strategies, a segment and a dependency in production, and what else a path may name. */
async function furnish({ send }) {
  const project = 'projects/default'
  const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } }
  const segment = await send('POST', 'segments', { name: 'beta', constraints: [] })
  const strategies = []
  for (const name of ['parent', 'child', 'alone']) {
    await send('POST', `${project}/features`, { name })
    for (const environment of ['production', 'development']) {
      const path = `${project}/features/${name}/environments/${environment}`
      const strategy = await send('POST', `${path}/strategies`, { ...rollout, segments: [segment.id] })
      strategies.push(strategy.id)
      await send('POST', `${path}/on`)
    }
  }
  await send('POST', `${project}/features/child/dependencies`, { feature: 'parent' })
  return { features: ['parent', 'child', 'alone', 'none'], strategies, segments: [segment.id] }
}

/** A write to any gated route, with values of what is there in any combination. */
function randomWrite(random, { features, strategies, segments }) {
  const values = {
    project: ['default', 'default', 'default', 'other'],
    feature: features,
    parent: features,
    environment: ['production', 'development', 'Production'],
    strategy: strategies,
    segment: segments,
    id: ['1'],
    token: ['default:production.client-production'],
  }
  const [method, pattern] = random.pick(gated).route.split(' ')
  const path = pattern.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(random.pick(values[name])))
  return { method, path: disguise(random, path), body: method === 'DELETE' ? undefined : randomBody(random, values) }
}

function randomBody(random, { feature, environment, strategy, segment }) {
  const toOrder = { id: random.pick(strategy), sortOrder: random.below(9) }
  return random.pick([
    undefined,
    {},
    { features: [random.pick(feature), random.pick(feature)], stale: true },
    { feature: random.pick(feature), enabled: false },
    { name: 'flexibleRollout', parameters: { rollout: String(random.below(101)) }, disabled: true, segments: [] },
    { name: `new-${random.below(1_000)}`, constraints: [], stale: true, archived: true },
    { environment: random.pick(environment), changeRequestsEnabled: false },
    { environments: [random.pick(environment)], variants: [] },
    { strategyId: random.pick(strategy), segmentIds: [], projectId: 'default', environmentId: 'development' },
    { id: random.pick(segment), name: 'renamed', constraints: [{ contextName: 'x', operator: 'IN', values: ['y'] }] },
    [toOrder, { ...toOrder, sortOrder: 1 }],
    [{ op: 'replace', path: random.pick(['/stale', '/parameters/rollout', '/disabled', '/archived']), value: true }],
    { provider: 'webhook', enabled: true, events: ['feature-created'], parameters: { url: 'http://127.0.0.1:1' } },
    [{ name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' }],
  ])
}

const disguise = (random, path) =>
  random.pick([
    path,
    path,
    path,
    `${path}/`,
    path.replace('/api/admin', '/API/Admin'),
    path.replace('production', '%70roduction'),
    path.replace('/api', '//api'),
    path.replace('/api/admin', '/edge/..%2fapi/admin'),
    `${path}?environment=development`,
  ])

/** The state of production: in the admin API, for SDKs, and the segments. */
async function readProduction({ client, server }) {
  const { features } = await client.send('GET', 'projects/default/features')
  const flags = []
  // Neither list has an order: the server lists what its database finds first.
  for (const name of features.map((feature) => feature.name).sort()) {
    const { environments, ...flag } = await client.send('GET', `projects/default/features/${name}`)
    flags.push({ ...flag, here: environments.find((each) => each.name === 'production') })
  }
  const { body: sdk } = await call(server.url, 'GET', '/api/client/features', undefined, {
    Authorization: server.clientTokens[0],
  })
  const { segments } = await client.send('GET', 'segments')
  const byName = (one, other) => (one.name < other.name ? -1 : 1)
  return {
    flags: flags.map(withoutUsage),
    sdk: sdk.features.sort(byName),
    segments: segments.map(withoutUsage).sort(byName),
  }
}

/** Without what development changes as well. */
function withoutUsage({ lastSeenAt, usedInFeatures, usedInProjects, collaborators, lifecycle, ...rest }) {
  return rest
}

it(`${writes} random writes of an editor change nothing in production (seed ${seed})`, async () => {
  const random = createRandom(seed)
  const things = await furnish(host.client)
  const before = await readProduction(host)
  assert.equal(before.flags.filter(({ here }) => here.enabled).length, 3)
  const statuses = {}
  for (let index = 0; index < writes; index += 1) {
    const { method, path, body } = randomWrite(random, things)
    const { status } = await ann.call(method, path, body, {
      'X-HTTP-Method-Override': random.pick(['GET', 'PUT', 'DELETE']),
      'Content-Type': random.pick(['application/json', 'text/plain', 'application/x-www-form-urlencoded']),
    })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  assert.deepEqual(await readProduction(host), before, JSON.stringify(statuses))
  assert.ok(statuses[403] > writes / 4, JSON.stringify(statuses))
})
