const { execFileSync } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { join } = require('node:path')
const { setTimeout } = require('node:timers/promises')
const { texts } = require('../data/drafts')
const { change } = require('../support/changes')
const { download, load, requestBytes } = require('../support/client')
const { quantile } = require('../support/figures')
const { catchUp, now, openFollowers } = require('../support/followers')

const sampleMs = 150
const writeMs = 300
const followers = 500
const idleMs = 1_000
const scheduled = 500
const votes = 60
const project = 'shop'
const json = { 'Content-Type': 'application/json' }
const startupHost = join(__dirname, '../servers/startup-host.js')

let runs = 0

const latency = (path, headers = {}) => ({
  unit: 'ms',
  lower: true,
  example: { path, headers },
  async sample({ port }) {
    const request = requestBytes('GET', path, headers)
    return quantile((await load(port, { callers: 1, ms: sampleMs, next: () => request })).latencies, 0.5)
  },
})

const rate = (path, callers = 10) => ({
  unit: '1/s',
  example: { path, headers: {} },
  async sample({ port }) {
    const request = requestBytes('GET', path, {})
    return (await load(port, { callers, ms: 2 * sampleMs, next: () => request })).perSecond
  },
})

/** The response of unknown length is read to its end, at least once and for the time of a sample. */
const whole = (path, headers = {}) => ({
  unit: 'ms',
  lower: true,
  example: { path, headers },
  async sample({ port }) {
    const times = []
    const start = performance.now()
    while (times.length === 0 || performance.now() - start < sampleMs) {
      times.push((await download(port, path, headers)).totalMs)
    }
    return quantile(times, 0.5)
  },
})

const search = (query) => latency(`/log/search/events?${new URLSearchParams(query)}`)

/** How long the work of another path holds the event loop of the server. */
const loopDelay = ({ sample }) => ({
  ...{ unit: 'ms', lower: true },
  sample: async (server) => (await server.watched(() => sample(server))).worstDelayMs,
})

/** The paths by the name that selects them. Those that write are last, because the log grows. */
function pathsOf(rows) {
  const middle = Math.floor(rows / 2)
  const all = `/log/events?project=${project}`
  const [quiet, busy] = [besideScheduled(0), besideScheduled(scheduled)]
  return {
    events: {
      'newest 100, nothing cached': rate('/cold/events'),
      'newest 100, nothing new': rate('/log/events'),
      'all events of a project': whole(all),
    },
    search: {
      'search: newest': search({}),
      'search: by project': search({ project: `IS:${project}` }),
      'search: by type': search({ type: 'IS:feature-updated' }),
      'search: by flag': search({ feature: 'IS:checkout-7' }),
      'search: by creator': search({ createdBy: 'IS:7' }),
      'search: by project and type': search({ project: `IS:${project}`, type: 'IS:feature-updated' }),
      'search: a text that is nowhere': search({ query: texts.absent }),
      'search: a text that is nowhere, worst loop delay': loopDelay(search({ query: texts.absent })),
      'search: middle by cursor': search({ before: middle }),
      'search: by flag, middle by cursor': search({ feature: 'IS:checkout-7', before: middle }),
    },
    'flag-log': { 'log of a flag': whole('/log/events/checkout-7') },
    creators: { 'event creators': latency('/log/event-creators') },
    export: {
      'a project as NDJSON': whole(all, { Accept: 'application/x-ndjson' }),
      'a project as CSV': whole(all, { Accept: 'text/csv' }),
    },
    startup: {
      'start-up: require and factory': startup('startMs'),
      'start-up: first POST': startup('firstPostMs'),
    },
    'add-change': { 'add a change, callers: 1': addChange(1), 'add a change, callers: 50': addChange(50) },
    vote: { 'approve, by the last vote': lastVote },
    'change-request': {
      'read a change request, none scheduled': quiet.read(''),
      [`read a change request, ${scheduled} scheduled`]: busy.read(''),
      [`review of a change request, ${scheduled} scheduled`]: busy.read('/review'),
      [`set its title, ${scheduled} scheduled`]: busy.edit,
    },
    follow: {
      [`from an event to the last of ${followers} followers`]: toFollowers,
      [`statements of ${followers} followers per second`]: statementsOfFollowers,
      [`${rows} events to a follower that catches up`]: {
        ...{ unit: 'ms', lower: true },
        sample: async ({ port }) => (await catchUp(port, '/log/events', rows)).totalMs,
      },
    },
  }
}

/** One process per sample. */
function startup(what) {
  const sample = ({ root, config }) => {
    const prefix = `s${randomBytes(6).toString('hex')}_`
    const way = JSON.stringify({ way: 'ours', root, config, prefix })
    return JSON.parse(execFileSync(process.execPath, [startupHost, way]).toString())[what]
  }
  return { unit: 'ms', lower: true, fewest: 9, sample }
}

const send = (user, method, path, body) =>
  requestBytes(method, `/log/projects/${path}`, { ...json, Authorization: user }, JSON.stringify(body))

/** Each caller fills its own change requests, ten changes each. */
function addChange(callers) {
  const sample = async ({ port }) => {
    const run = ++runs
    const next = (caller, n) => {
      const path = `/log/projects/${project}/environments/e${run}-${caller}-${Math.floor(n / 10)}/change-requests`
      return requestBytes('POST', path, { ...json, Authorization: caller + 1 }, change(n))
    }
    return (await load(port, { callers, ms: writeMs, next })).perSecond
  }
  return { unit: '1/s', sample }
}

/** Requests to an open change request in a project in which others are scheduled. */
function besideScheduled(count) {
  const at = `scheduled-${count}`
  const prepared = new Map()
  const open = new Map()
  const pathOf = (server, rest = '') => `/log/projects/${at}/change-requests/${open.get(server)}${rest}`

  function prepare(server) {
    if (!prepared.has(server)) prepared.set(server, schedule(server))
    return prepared.get(server)
  }

  async function schedule(server) {
    const [mine] = await propose(server.port, at, 1, 'development')
    open.set(server, mine.id)
    const others = await propose(server.port, at, count, 'production')
    const scheduledAt = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString()
    const toState = (ofWhom, state) =>
      each(server.port, ofWhom, ({ id, user }) =>
        send(state.by ?? user, 'PUT', `${at}/change-requests/${id}/state`, { ...state, by: undefined }),
      )
    // Only its author sees a draft.
    await toState([mine, ...others], { state: 'In review' })
    await toState(others, { state: 'Approved', by: 2 })
    await toState(others, { state: 'Scheduled', scheduledAt, by: 2 })
  }

  return {
    read: (rest) => ({
      unit: 'ms',
      lower: true,
      prepare,
      sample: (server) => latency(pathOf(server, rest)).sample(server),
    }),
    /** The title, because added changes would make the response larger. */
    edit: {
      unit: 'ms',
      lower: true,
      prepare,
      async sample(server) {
        const next = () =>
          send(1_000, 'PUT', pathOf(server, '/title').replace('/log/projects/', ''), { title: 'title' })
        return quantile((await load(server.port, { callers: 1, ms: sampleMs, next, expected: 204 })).latencies, 0.5)
      },
    },
  }
}

/** Each sample approves its own change requests, one after the other. */
const lastVote = {
  ...{ unit: 'ms', lower: true },
  async sample({ port }) {
    const toState = ({ id, user }, state) => send(user, 'PUT', `votes/change-requests/${id}/state`, { state })
    const proposed = await propose(port, 'votes', votes, `e${++runs}`)
    await each(port, proposed, (one) => toState(one, 'In review'))
    const next = () => (proposed.length === 0 ? undefined : toState({ ...proposed.pop(), user: 2 }, 'Approved'))
    return quantile((await load(port, { callers: 1, next })).latencies, 0.5)
  },
}

/** Change requests of one change, each with its own flag and author. */
async function propose(port, at, count, environment) {
  const made = []
  const users = Array.from({ length: count }, (_, index) => 1_000 + index)
  const path = `${at}/environments/${environment}/change-requests`
  const toRequest = (user) => {
    const change = { action: 'updateEnabled', feature: `flag-${user}`, payload: { enabled: true } }
    return send(user, 'POST', path, change)
  }
  await each(port, users, toRequest, (text) => {
    const { id, createdBy } = JSON.parse(text)
    made.push({ id, user: createdBy.id })
  })
  return made
}

async function each(port, values, toRequest, seen) {
  const left = [...values]
  const next = () => (left.length === 0 ? undefined : toRequest(left.pop()))
  await load(port, { callers: 4, next, seen })
}

/** Opens followers, records an event and waits until all of them have it. */
const toFollowers = {
  unit: 'ms',
  lower: true,
  async sample({ port, ask }) {
    const marker = ++runs
    const { promise, seen } = arrivals(marker, followers)
    const closeAll = await openFollowers(port, '/log/events', followers, seen)
    try {
      const start = now()
      await ask('record', marker)
      return (await promise) - start
    } finally {
      closeAll()
    }
  },
}

/** Resolves with the time at which the last of the followers got the event. */
function arrivals(marker, count) {
  let left = count
  let arrived
  const promise = new Promise((resolve) => {
    arrived = resolve
  })
  const seen = (number, at) => {
    if (number === marker && --left === 0) arrived(at)
  }
  return { promise, seen }
}

const statementsOfFollowers = {
  unit: '1/s',
  lower: true,
  async sample({ port, ask }) {
    const closeAll = await openFollowers(port, '/log/events', followers, () => undefined)
    const before = await ask('statements')
    await setTimeout(idleMs)
    const count = (await ask('statements')) - before
    closeAll()
    return count / (idleMs / 1_000)
  },
}

module.exports = { pathsOf }
