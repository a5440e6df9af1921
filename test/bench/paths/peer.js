const { startServer } = require('../support/child')
const { change } = require('../support/changes')
const { openDatabase } = require('../support/databases')
const { figure, median, progress } = require('../support/figures')
const { fillEvents, fillSubjects, searchDraft } = require('../support/fill')
const { openClient } = require('../data/http')

const prefix = 'peer_'
const sampleMs = 200
const fewest = 3
/** The number of changes per round, so that no change request becomes too large. */
const changesARound = 5

/** Another server of the same wire next to ours, one caller; each requests what is in its own log. */
async function benchPeer({ databases, rounds, rows, against, header, ...place }) {
  if (against === undefined) {
    return progress(`peer needs a server to compare with: npm run bench -- peer --against http://localhost:4242
  --header 'Authorization: <token>'. Its log should hold --rows events, about as large as ours.`)
  }
  const peer = openClient(`${against.replace(/\/+$/, '')}/api/admin`, Object.fromEntries(header.map(toHeader)))
  for (const name of databases) {
    const database = await openDatabase(name)
    let server
    try {
      await fillEvents(database, prefix, rows, searchDraft)
      await fillSubjects(database, prefix)
      server = await startServer('log/search-server.js', { way: 'ours', config: database.config, prefixes: [prefix] })
      const ours = openClient(`http://127.0.0.1:${server.port}/${prefix}`, {})
      await benchAll({ database: name, rounds, ways: { ours, peer }, place })
      ours.close()
    } finally {
      await server?.stop()
      await database.close()
    }
  }
  peer.close()
}

function toHeader(line) {
  const colon = line.indexOf(':')
  if (colon < 1) throw new Error(`A header is 'Name: value', not '${line}'.`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

async function benchAll({ database, rounds, ways, place }) {
  const requestsOf = {}
  for (const [way, client] of Object.entries(ways)) requestsOf[way] = requests(await valuesOf(client), place)
  for (const name of Object.keys(requestsOf.ours)) {
    const samples = {}
    const sizes = []
    for (const [way, client] of Object.entries(ways)) {
      const request = requestsOf[way][name]
      const { status, body } = request === undefined ? {} : await client.ask(request)
      if (status === 200) samples[way] = []
      else progress(`${name} is left out: ${way} ${status === undefined ? 'has no such event' : `answers ${status}`}.`)
      if (status === 200) sizes.push(`${way} ${Buffer.byteLength(body)}`)
    }
    if (Object.keys(samples).length < 2) continue
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, client] of Object.entries(ways)) samples[way].push(await sample(client, requestsOf[way][name]))
    }
    // A server that returns only a part is faster.
    const note = `bytes of the answer: ${sizes.join(', ')}`
    figure({ database, name: `compared with the peer: ${name}, p50`, unit: 'ms', lower: true, ways: samples, note })
  }
}

/** Search values from the newest events of a log. */
async function valuesOf(client) {
  const { events } = JSON.parse((await client.ask({ path: '/events' })).body)
  const one = (pick) => events.map(pick).find((value) => value !== undefined && value !== null && value !== '')
  const day = one(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10))
  return {
    project: one(({ project }) => project),
    type: one(({ type }) => type),
    feature: one(({ featureName }) => featureName),
    createdBy: one(({ createdByUserId }) => createdByUserId),
    environment: one(({ environment }) => environment),
    from: day,
    to: day,
  }
}

/** The requests by name, without those for which the log has no values. */
function requests(values, { project, environment, feature }) {
  const find = (...names) => {
    const query = new URLSearchParams({ limit: '50' })
    for (const name of names) query.set(name, `IS:${values[name]}`)
    return names.some((name) => values[name] === undefined) ? undefined : { path: `/search/events?${query}` }
  }
  const posted =
    project === undefined || environment === undefined
      ? {}
      : {
          'POST of a change': {
            method: 'POST',
            path: `/projects/${project}/environments/${environment}/change-requests`,
            body: JSON.stringify({ ...JSON.parse(change(1)), feature }),
          },
        }
  return {
    'newest events': { path: '/events' },
    'events of a project': values.project && { path: `/events?project=${encodeURIComponent(values.project)}` },
    'search: newest': find(),
    'search: a project': find('project'),
    'search: a type': find('type'),
    'search: a flag': find('feature'),
    'search: a creator': find('createdBy'),
    'search: an environment': find('environment'),
    'search: a day': find('from', 'to'),
    'search: project and type': find('project', 'type'),
    'search: creator on a day': find('createdBy', 'from', 'to'),
    'search: a text': { path: '/search/events?limit=50&query=flexibleRollout' },
    'search: offset 5000': { path: '/search/events?limit=50&offset=5000' },
    ...posted,
  }
}

async function sample(client, request) {
  const latencies = []
  const start = performance.now()
  const max = request.method === 'POST' ? changesARound : Number.POSITIVE_INFINITY
  while (latencies.length < max && (latencies.length < fewest || performance.now() - start < sampleMs)) {
    const { status, totalMs } = await client.ask(request)
    if (status !== 200) throw new Error(`${request.path} answered ${status}.`)
    latencies.push(totalMs)
  }
  return median(latencies)
}

module.exports = { benchPeer }
