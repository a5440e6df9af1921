import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { reviewPage } from '../../page/index'
import type { Storage } from '../../ports/storage/storage'
import { createChangeRequestRouter } from '../../router/index'
import { memoryStorage } from '../../storage/memory/index'
import { unleashRules } from '../../unleash-rules/index'
import { type ProcessIo, UsageError } from '../command'
import { createFlags, project } from './flags'
import { createSignIn, people, type SignIn, users } from './people'
import { seedChangeRequests } from './seed'

/** Only this computer reaches the demo. */
const host = '127.0.0.1'
const usualPort = 4242

/**
 * @param io Without the variable PORT, or if it is empty, the usual port is used, or else a free one.
 * @param storage migrated and empty
 */
export async function runDemo(
  { env, out, stopped }: Pick<ProcessIo, 'env' | 'out' | 'stopped'>,
  storage: Storage = memoryStorage(),
): Promise<void> {
  const app = express().disable('x-powered-by')
  const server = createServer(app)
  const { port: bound } = await listen(server, env.PORT)
  const address = `http://${host}:${bound}`
  const signIn = createSignIn(`change-requests-demo-${bound}`)
  const flags = createFlags()
  const router = createChangeRequestRouter({
    gravatar: false,
    storage,
    authenticate: signIn.authenticate,
    users,
    directory: flags.directory,
    flags: flags.gateway,
    validate: unleashRules(),
    approvalRules: [
      { name: 'payments owners', when: { features: ['pay*'] }, approvals: 1, from: { groups: ['payments'] } },
    ],
    emergency: true,
    objections: true,
    pageUrl: '/review',
    schedule: 'here',
  })
  app.use(allowHosts([`${host}:${bound}`, `localhost:${bound}`]), signIn.handler, router)
  app.use('/review', reviewPage({ api: '/api/admin', signIn: 'host' }))
  app.get('/flags', (_req, res) => void res.json({ project, flags: flags.list() }))
  app.get('/', (_req, res) => res.redirect('/review/'))
  try {
    router.start()
    await seedChangeRequests(address, signIn.sessionOf)
    out(introduction(address, signIn))
    await stopped()
  } finally {
    server.close()
    await router.close()
    server.closeAllConnections()
  }
}

function introduction(address: string, { linkOf }: SignIn): string {
  const lines = people.map(
    (person) => `  ${person.name.padEnd(9)}  ${person.role.padEnd(20)}  ${address}${linkOf(person)}`,
  )
  return `A demo of the review page, with data in memory. Each link signs one person in, once.
Open two of them, in two browsers or in a private window:

${lines.join('\n')}

The current flags: ${address}/flags
Stop the demo with Ctrl+C.
listening on ${address}
`
}

/** A page of another site can point its own host name at this address (DNS rebinding). Only its `Host` header differs. */
function allowHosts(hosts: readonly string[]): RequestHandler {
  return ({ headers }, res, next) => {
    if (hosts.includes(headers.host ?? '')) return next()
    res.status(421).type('text/plain').send(`Open http://${hosts[0]} instead.\n`)
  }
}

async function listen(server: Server, variable: string | undefined): Promise<AddressInfo> {
  const port = Number(variable || usualPort)
  if (!/^\d*$/.test(variable ?? '') || port > 65_535) {
    throw new UsageError(`PORT must be a number from 0 to 65535, not ${JSON.stringify(variable)}.`)
  }
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (variable) throw new Error(`Port ${port} is in use. Set PORT to another port, or to 0 for a free one.`)
    await once(server.listen(0, host), 'listening')
  }
  return server.address() as AddressInfo
}
