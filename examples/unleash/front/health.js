const { keepFor } = require('../server/keep-for')
const { isTested } = require('./server-version')

/** Reading the health needs no sign-in, so the database and the server are called at most once a second. */
const freshMs = 1_000

/**
 * Creates the handler of `/reviewed/health`: 200 if the front can serve reviews, otherwise 503. The front must be restarted
 * if the server has another version than at the start, because the routes to block are read at the start.
 *
 * @param {object} options
 * @param {import('express-change-requests').ChangeRequestRouter} options.router
 * @param {object} options.client A client of the server.
 * @param {string} options.version The version of the server at the start.
 */
function createHealth({ router, client, version }) {
  const check = keepFor(freshMs, async () => {
    const [{ reachable, compatible }, current] = await Promise.all([router.health(), readVersion(client)])
    const database = { reachable, compatible }
    const unleash = {
      reachable: current !== undefined,
      version: current ?? null,
      known: current !== undefined && isTested(current),
      isVersionOfStart: current === version,
    }
    const isHealthy = reachable && compatible && unleash.reachable && unleash.isVersionOfStart
    return { status: isHealthy ? 'healthy' : 'unhealthy', front: { running: true }, database, unleash }
  })
  return async (_req, res) => {
    const health = await check()
    res
      .status(health.status === 'healthy' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(health)
  }
}

/** Undefined if the server does not respond. */
async function readVersion(client) {
  try {
    return String((await client.send('GET', 'ui-config')).version)
  } catch {
    return undefined
  }
}

module.exports = { createHealth }
