const { execFileSync } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { join } = require('node:path')
const { fillCopies } = require('../support/fill-copies')
const { numbers, send, sendAll } = require('../support/requests')
const { requestBytes } = require('../support/client')
const { latency, ms, rate } = require('./measures')

let runs = 0

/** A route of the host app behind a gate. */
function gate(options) {
  const prepare = (server) =>
    sendAll(server, [
      send(1, 'PUT', '/projects/gated/environments/disabled/change-requests/config', { changeRequestsEnabled: false }),
    ])
  const post = (environment, user) => {
    const request = requestBytes('POST', `/gate/${environment}`, { Authorization: user })
    return { prepare, expected: [200, 403], requests: () => () => request }
  }
  const [open, skipped, refused] = [post('disabled', 1), post('enabled', 1), post('enabled', 9_999)]
  return {
    'a request without a gate': latency(options, post('none', 1)),
    'gate, disabled': latency(options, open),
    'gate, the caller may skip': latency(options, skipped),
    'gate, refused': latency(options, refused),
    'gate, disabled, callers: 10': rate(options, { ...open, callers: 10 }),
    'gate, the caller may skip, callers: 10': rate(options, { ...skipped, callers: 10 }),
    'gate, refused, callers: 10': rate(options, { ...refused, callers: 10 }),
  }
}

/** Scheduled change requests that are due at the same time, each in a project of its own. */
function schedule({ rows }) {
  const few = Math.min(200, rows)
  const many = Math.min(2_000, rows)
  const run = async (server, count) => {
    const run = ++runs
    await fillCopies(server, {
      ...{ kinds: ['Scheduled'], count, environment: `e${run}`, feature: 'due', dueAt: new Date().toISOString() },
      projects: numbers(count).map((n) => `due-${run}-${n}`),
    })
    const start = performance.now()
    const { applied, worstDelayMs } = await server.watched(() => server.ask('runDue'))
    if (applied !== count) throw new Error(`${applied} of ${count} were applied.`)
    return { perSecond: (count / (performance.now() - start)) * 1_000, worstDelayMs }
  }
  return {
    [`run of ${few} due`]: { unit: '1/s', sample: async (server) => (await run(server, few)).perSecond },
    [`run of ${many} due: worst loop delay`]: {
      ...{ ...ms, atMost: 50 },
      sample: async (server) => (await run(server, many)).worstDelayMs,
    },
  }
}

const host = join(__dirname, '../servers/startup-host.js')

/** The start of a process and its first responses, against a host without the router. */
function startup() {
  const path = (what, rest) => ({
    ...ms,
    others: ['naive'],
    ...rest,
    sample({ root, config }) {
      const prefix = `s${randomBytes(6).toString('hex')}_`
      return JSON.parse(execFileSync(process.execPath, [host, JSON.stringify({ root, config, prefix })]))[what]
    },
  })
  return {
    'start-up to the first list': path('toFirstGetMs', { atLeast: { naive: 0.7 } }),
    'first POST after the start': path('firstPostMs'),
  }
}

/** A consumer that starts at the oldest event. */
function consumers({ rows }) {
  const count = Math.min(50_000, rows)
  const path = (batchSize) => ({
    ...{ unit: '1/s', others: ['naive'] },
    sample: (server) => server.ask('consume', { name: `bench-${++runs}`, count, batchSize }),
  })
  return {
    [`consume ${count} events, batches of 100`]: path(100),
    [`consume ${count} events, batches of 1,000`]: path(1_000),
  }
}

module.exports = { consumers, gate, schedule, startup }
