const { startServer } = require('../support/child')
const { change } = require('../support/changes')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure } = require('../support/figures')

const project = '/api/admin/projects/shop'
const sampleMs = 600
const callers = 10
/** The number of applies per sample. */
const many = 200

let environments = 0

/** The cost of approval rules compared with a router without rules, and of the review compared with a plain read. */
async function benchReview({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    try {
      for (const [way, server] of [
        ['ours', 'ruled'],
        ['plain', 'plain'],
      ]) {
        servers[way] = await startServer('review-server.js', {
          way: server,
          config: database.config,
          prefix: `${way}_`,
        })
        await propose(servers[way], 1_000)
      }
      await benchWrites({ name, rounds, servers, unit: 'propose', measure: (server) => propose(server, sampleMs) })
      await benchWrites({ name, rounds, servers, unit: 'apply', measure: applyMany })
      await benchLarge({ name, rounds, server: servers.ours })
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

/** The ways alternate, and the first one changes with each round. */
async function benchWrites({ name, rounds, servers, unit, measure }) {
  const ways = { ours: [], plain: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ['ours', 'plain'] : ['plain', 'ours'])
      ways[way].push(await measure(servers[way]))
  }
  figure({ name: `${unit}, 20 rules`, database: name, unit: '1/s', ways, thresholds: [{ of: 'plain', min: 0.95 }] })
}

function send(who, method, path, body) {
  const headers = { Authorization: who, ...(body && { 'Content-Type': 'application/json' }) }
  return requestBytes(method, `${project}${path}`, headers, body)
}

/** Each caller fills its own change requests, ten changes each. */
async function propose({ port }, ms) {
  const run = ++environments
  const next = (caller, n) =>
    send('author', 'POST', `/environments/e${run}-${caller}-${Math.floor(n / 10)}/change-requests`, change(n))
  return (await load(port, { callers, ms, next })).perSecond
}

/** Applies change requests that were created and approved before. */
async function applyMany({ port }) {
  const run = ++environments
  const ids = []
  const each = (next, seen) => load(port, { callers, next, ...(seen && { seen }) })
  const taken = (make) => {
    let n = 0
    return () => (n < many ? make(n++) : undefined)
  }
  await each(
    taken((n) => send('author', 'POST', `/environments/e${run}-${n}/change-requests`, change(n))),
    (body) => ids.push(JSON.parse(body).id),
  )
  const to = (who, state) =>
    each(taken((n) => send(who, 'PUT', `/change-requests/${ids[n]}/state`, JSON.stringify({ state }))))
  await to('author', 'In review')
  await to('reviewer', 'Approved')
  return (await to('reviewer', 'Applied')).perSecond
}

/** The review of a change request of 500 changes, compared with reading it. */
async function benchLarge({ name, rounds, server: { port } }) {
  const changes = Array.from({ length: 500 }, (_, n) => change(n))
  let id
  const create = send('author', 'POST', '/environments/e-large/change-requests', `[${changes}]`)
  const seen = (body) => {
    id = JSON.parse(body).id
  }
  await load(port, { callers: 1, next: (_, n) => (n === 0 ? create : undefined), seen })
  const paths = { ours: `/change-requests/${id}/review`, read: `/change-requests/${id}` }
  const ways = { ours: [], read: [] }
  const measure = async (path, ms) =>
    (await load(port, { callers: 1, ms, next: () => send('author', 'GET', path) })).perSecond
  for (const path of Object.values(paths)) await measure(path, 1_000)
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(ways)) ways[way].push(await measure(paths[way], sampleMs))
  }
  const thresholds = [{ of: 'read', min: 0.5 }]
  figure({ name: 'review of 500 changes, 20 rules', database: name, unit: '1/s', ways, thresholds })
}

module.exports = { benchReview }
