const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure } = require('../support/figures')

const project = '/api/admin/projects/shop'
const sampleMs = 600
const callers = 10
const [changes, flags] = [500, 50]

let environments = 0

/** The cost of storing a base with a proposal, and the time of the diff of a large change request. */
async function benchDiff({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    try {
      for (const way of ['ours', 'baseless']) {
        servers[way] = await startServer('diff-server.js', { way, config: database.config, prefix: `${way}_` })
        await propose(servers[way], 1_000)
      }
      await benchProposals({ name, rounds, servers })
      await benchReview({ name, rounds, server: servers.ours })
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

async function benchProposals({ name, rounds, servers }) {
  const ways = { ours: [], baseless: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ['ours', 'baseless'] : ['baseless', 'ours']) {
      ways[way].push(await propose(servers[way], sampleMs))
    }
  }
  const thresholds = [{ of: 'baseless', min: 0.9 }]
  figure({ name: 'proposing, with a base', database: name, unit: '1/s', ways, thresholds })
}

/** A change of one strategy, as a page sends it. */
function change(n) {
  return {
    action: 'updateStrategy',
    feature: `checkout-${n % flags}`,
    payload: {
      id: `s${Math.floor(n / flags) % 5}`,
      title: `rollout ${n}`,
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['user-1021', 'user-2310'] }],
      parameters: { groupId: 'checkout', rollout: String(n % 101), stickiness: 'default' },
    },
  }
}

function send(method, path, body) {
  const headers = body && { 'Content-Type': 'application/json' }
  return requestBytes(method, `${project}${path}`, { ...headers }, body)
}

/** Each caller fills its own change requests, ten changes each. */
async function propose({ port }, ms) {
  const run = ++environments
  const next = (caller, n) => {
    const path = `/environments/e${run}-${caller}-${Math.floor(n / 10)}/change-requests`
    return send('POST', path, JSON.stringify(change(n)))
  }
  return (await load(port, { callers, ms, next })).perSecond
}

async function benchReview({ name, rounds, server: { port } }) {
  let id
  const all = JSON.stringify(Array.from({ length: changes }, (_, n) => change(n)))
  const create = send('POST', '/environments/e-large/change-requests', all)
  const seen = (body) => {
    id = JSON.parse(body).id
  }
  await load(port, { callers: 1, next: (_, n) => (n === 0 ? create : undefined), seen })
  const next = () => send('GET', `/change-requests/${id}/review`)
  const measure = async (ms) => 1_000 / (await load(port, { callers: 1, ms, next })).perSecond
  await measure(1_000)
  const ways = { ours: [] }
  for (let round = 0; round < rounds; round += 1) ways.ours.push(await measure(sampleMs))
  const thresholds = [{ max: 30 }]
  figure({
    name: `review of ${changes} changes of ${flags} flags`,
    database: name,
    unit: 'ms',
    lower: true,
    ways,
    thresholds,
  })
}

module.exports = { benchDiff }
