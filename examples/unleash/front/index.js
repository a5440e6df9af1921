const { once } = require('node:events')
const { createServer } = require('node:http')
const { createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const knex = require('knex')
const { unleashGateway } = require('../gateway')
const { unleashMirror } = require('../mirror')
const { unleashClient } = require('../server/client')
const { createApp } = require('./app')
const { createCallers } = require('./caller')
const { createDirectory } = require('./directory')
const { leaveOthersOpen } = require('./first-settings')
const { logger, knexLogger } = require('./logger')
const { createAgent } = require('./proxy')
const { serverRules } = require('./rules')
const { readServer } = require('./server-version')

/** How long running responses may take after the signal to stop. */
const graceMs = 10_000

/**
 * Starts the front of an Unleash server.
 *
 * @param {object} options
 * @param {string} options.url The server, without a path.
 * @param {string} options.token An admin token of the server that nothing else uses.
 * @param {string} options.databaseUrl The Postgres database of the change requests.
 * @param {number} options.port
 * @param {string} [options.host] The address to listen on.
 * @param {string} [options.publicUrl] The public URL of the front.
 * @param {boolean} [options.allowUnknownVersion] See `server-version.js`.
 * @param {boolean} [options.banner] Whether the page of the server shows that changes are reviewed. Default: true.
 * @param {Record<string, readonly string[]>} [options.roles] See `grants.js`.
 * @param {Record<string, readonly string[]>} [options.groups] See `groups.js`.
 * @param {import('express-change-requests').ApprovalRule[]} [options.approvalRules] See `approvalRules` of the router.
 * @param {number} [options.callTimeoutMs] How long a call to the server may take. Default: 5 seconds for the caller and for
 * applies, 10 for projects, environments and users, 30 for events.
 * @param {number} [options.freshMs] How long responses of the server are cached. Default: 3 seconds for the
 * caller of a read, 2 for projects, environments and users.
 * @param {object} [options.limits] See `limits` of the router.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
async function startFront(options) {
  const { databaseUrl, port, host = '127.0.0.1', publicUrl, banner = true, roles, groups, freshMs, ...others } = options
  const { allowUnknownVersion, approvalRules, limits, ...access } = others
  const { url } = access
  const handle = knex({ client: 'pg', connection: { connectionString: databaseUrl }, log: knexLogger })
  const parts = []
  try {
    const client = unleashClient(access)
    await requireAdmin(client)
    const { version, unknown } = await readServer({ ...access, allowUnknownVersion, logger })
    const onServer = createDirectory(client, { roles, groups, freshMs })
    const callers = createCallers({ ...access, freshMs, roles, groups })
    const review = await startReview({ access, handle, callers, onServer, approvalRules, limits, parts })
    const server = createServer()
    await listen(server, port, host)
    const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${server.address().port}`
    const reviewUrl = ({ project, id }) =>
      `${address}/review/projects/${encodeURIComponent(project)}/change-requests/${id}`
    const agent = createAgent(url)
    parts.push({ close: () => agent.destroy() })
    const app = { ...review, callers, onServer, client, version, unknown, reviewUrl, banner }
    server.on('request', createApp({ url, agent, publicUrl: address, logger, ...app }))
    logger.info({ url: address, unleash: version }, 'The front is listening.')
    return { url: address, stop: () => stop({ server, parts, handle }) }
  } catch (error) {
    await closeAll({ parts, handle })
    throw error
  }
}

async function listen(server, port, host) {
  server.listen(port, host)
  await once(server, 'listening')
}

/** @throws unless the token may read and write everything */
async function requireAdmin(client) {
  const { permissions } = await client.send('GET', 'user')
  if (permissions.some(({ permission }) => permission === 'ADMIN')) return
  throw new Error('The token for the Unleash server must be an admin token.')
}

/**
 * Creates the router for the flags on the server, and the mirror of direct writes.
 *
 * @param {object[]} options.parts Receives everything that must be closed at the end.
 */
async function startReview({ access, handle, callers, onServer, approvalRules, limits, parts }) {
  const storage = knexStorage({ knex: handle })
  const flags = unleashGateway({ ...access, knex: handle, logger })
  const router = createChangeRequestRouter({
    storage,
    authenticate: callers.authenticate,
    directory: onServer.directory,
    users: onServer.users,
    flags,
    validate: serverRules,
    approvalRules,
    emergency: true,
    // Most segments of an open-source server are global.
    globalSegments: true,
    schedule: 'here',
    // Change requests are on our page, flags and projects on that of the server.
    pageUrl: '/review',
    links: { flag: '/projects/{project}/features/{flag}', project: '/projects/{project}' },
    limits,
    logger,
  })
  const mirror = unleashMirror({ ...access, knex: handle, record: router.events.record, logger })
  parts.push(mirror, router, flags)
  await router.migrate()
  await flags.migrate()
  await mirror.migrate()
  await flags.recover()
  // Writes from here on are in the log.
  await mirror.run()
  await leaveOthersOpen(storage, onServer)
  router.start()
  mirror.start()
  return { router, actions: flags.actions }
}

/** Accepts no new connections, finishes running responses and closes idle connections. */
async function stop({ server, parts, handle }) {
  const closed = once(server, 'close')
  server.close()
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
  await closeAll({ parts, handle })
}

async function closeAll({ parts, handle }) {
  for (const part of parts) await part.close()
  await handle.destroy()
}

module.exports = { startFront }
