const { once } = require('node:events')
const { createServer } = require('node:http')
const { createChangeRequestRouter, unleashRules } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const knex = require('knex')
const { createApp } = require('./app')
const { approvalRules } = require('./approval-rules')
const { createDemoUsers, introduceDemoUsers } = require('./demo-users')
const { createDirectRoutes } = require('./flags/direct-routes')
const { createFlagGateway } = require('./flags/gateway')
const { createFlagRoutes } = require('./flags/routes')
const { createFlagStore } = require('./flags/store')
const { knexLogger, logger } = require('./logger')
const { createPages } = require('./pages')
const { readSettings, SettingError } = require('./settings')
const { createSignIn } = require('./sign-in')

/** How long running responses may take after the signal to stop. */
const graceMs = 10_000

async function main() {
  const settings = readSettings(process.env)
  const { host, port, database } = settings
  const demoUsers = settings.authenticate === undefined ? createDemoUsers() : []
  const signIn = createSignIn(demoUsers)
  const authenticate = settings.authenticate ?? signIn.authenticate
  const handle = knex({ ...database, log: knexLogger })
  try {
    const store = createFlagStore(handle)
    const gateway = createFlagGateway(store)
    const router = createChangeRequestRouter({
      storage: knexStorage({ knex: handle }),
      authenticate,
      directory: store.directory,
      flags: gateway,
      validate: unleashRules(),
      approvalRules,
      emergency: true,
      schedule: 'here',
      pageUrl: '/review',
      logger,
    })
    await router.migrate()
    await store.migrate()
    await store.seed()
    for (const consumer of settings.consumers) router.events.consume(consumer)
    router.start()
    const pages = createPages(demoUsers.length > 0 ? 'host' : 'key')
    const direct = createDirectRoutes({ router, store, gateway, authenticate })
    const flagRoutes = [createFlagRoutes({ store, authenticate }), direct]
    const server = createServer(createApp({ router, flagRoutes, pages, signIn: signIn.routes })).listen(port, host)
    await once(server, 'listening')
    const signal = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    const address = toUrl(server.address())
    if (demoUsers.length > 0) process.stdout.write(`${introduceDemoUsers(demoUsers, address, signIn.linkOf)}\n`)
    process.stdout.write(`listening on ${address}\n`)
    await signal
    await stop(server)
    await router.close()
  } finally {
    await handle.destroy()
  }
}

/** Accepts no new connections, finishes running responses and closes idle connections. */
async function stop(server) {
  const closed = once(server, 'close')
  server.close()
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}

function toUrl({ address, family, port }) {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

main().catch((error) => {
  const reason = error instanceof SettingError ? error.message : `Cannot start: ${error.message || error.code}`
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
})
