const { change } = require('./changes')
const { load, requestBytes } = require('./client')
const { quantile } = require('./figures')

const callers = 4
const everyMs = 20
/** A change request gets this number of changes before the next one. */
const size = 10

let runs = 0

/** Proposes changes at a steady rate, which leaves the server idle time, until `going` returns false. */
async function steadyPosts(port, prefix, going) {
  const { next } = proposals(prefix)
  const run = await load(port, { callers, everyMs, next: (caller, n) => (going() ? next(caller, n) : undefined) })
  return { p50: quantile(run.latencies, 0.5), p99: quantile(run.latencies, 0.99), count: run.latencies.length }
}

/** Steady proposals for this time. */
function postFor(port, prefix, ms) {
  const end = performance.now() + ms
  return steadyPosts(port, prefix, () => performance.now() < end)
}

/** Steady proposals until the work ends. */
async function postDuring(port, prefix, work) {
  let working = true
  const done = work().finally(() => {
    working = false
  })
  const [posts, result] = await Promise.all([steadyPosts(port, prefix, () => working), done])
  return { ...result, posts }
}

/** Requests of callers that each fill their own change requests in their own project. */
function proposals(prefix) {
  const run = ++runs
  const next = (caller, n) => {
    const place = `e${process.pid}-${run}-${caller}-${Math.floor(n / size)}`
    const path = `/${prefix}/projects/proposals/environments/${place}/change-requests`
    return requestBytes('POST', path, { 'Content-Type': 'application/json' }, change(n))
  }
  return { next }
}

module.exports = { postDuring, postFor, proposals }
