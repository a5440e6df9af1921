import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import {
  apiKeys,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  memoryStorage,
  type Storage,
} from '../../src'
import { runCommand } from '../../src/cli/run'
import { createClient } from '../../src/client'
import type { OpenDatabase } from '../support/databases'
import { longTimeoutLimits } from '../support/databases/long-timeouts'

const grants = ['CREATE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((permission) => ({ permission }))
const keys = {
  /** Its name would clear a terminal. */
  bot: {
    user: { id: 9, username: 'deploy-bot\u001b[2J', kind: 'service' },
    grants: [...grants, { permission: 'READ_EVENTS' }],
  },
  /** Cannot follow the log. */
  blind: { user: { id: 8, username: 'blind-bot', kind: 'service' }, grants },
  ben: { user: { id: 2, username: 'ben' }, grants: [{ permission: 'ADMIN' }] },
} as const

export type Who = keyof typeof keys

const authenticate = apiKeys(Object.entries(keys).map(([name, key]) => ({ key: keyOf(name as Who), ...key })))

export function keyOf(who: Who): string {
  return `key-of-${who}-0123456789`
}

/** A host with a router, over a socket, that a test can take down and bring back at the same port. */
export async function openHost(storage: Storage = memoryStorage(), options: Partial<ChangeRequestRouterOptions> = {}) {
  const router = createChangeRequestRouter({
    ...{ storage, authenticate, recordOnly: true, schedule: 'elsewhere', logger: false },
    featureNames: 'any',
    limits: longTimeoutLimits,
    ...options,
  })
  const app = express().use(router)
  let server: Server | undefined
  let port = 0
  const host = {
    router,
    /** Handles requests before the router; undefined for none. */
    before: undefined as RequestListener | undefined,
    requests: [] as string[],
    url: '',
    async up() {
      server = createServer((req, res) => {
        host.requests.push(`${req.method} ${req.url}`)
        if (host.before === undefined) app(req, res)
        else host.before(req, res)
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
      host.url = `http://127.0.0.1:${port}/api/admin`
    },
    async down() {
      const closed = server && once(server, 'close')
      server?.close()
      server?.closeAllConnections()
      await closed
    },
    pass: app as RequestListener,
    as: (who: Who) => createClient({ api: host.url, key: keyOf(who) }),
  }
  await host.up()
  return host
}

export type Host = Awaited<ReturnType<typeof openHost>>

interface RunOptions {
  readonly as?: Who
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The arguments with which a command finds the database. On SQLite, the file exists afterwards. */
export async function connectionOf({ place, knex }: OpenDatabase): Promise<string[]> {
  const { schema } = place.storage
  if (place.knex.client === 'pg')
    return ['--connection', place.knex.connection, ...(schema === undefined ? [] : ['--schema', schema])]
  await knex.raw('select 1 from sqlite_master')
  return ['--connection', place.knex.connection.filename]
}

/** Runs `npx express-change-requests …` in this process. */
export function runCli(args: readonly string[], { input = '', env = {} }: RunOptions = {}) {
  let [stdout, stderr, isOver] = ['', '', false]
  const printed = new EventTarget()
  const exit = runCommand(args, {
    env,
    out(text) {
      stdout += text
      printed.dispatchEvent(new Event('text'))
    },
    error(text) {
      stderr += text
      printed.dispatchEvent(new Event('text'))
    },
    input: async () => input,
    stopped: () => new Promise(() => undefined),
  })
    .then((status) => ({ status, stdout, stderr }))
    .finally(() => {
      isOver = true
      printed.dispatchEvent(new Event('text'))
    })
  return {
    exit,
    /** Waits until it has printed this. */
    async printed(text: string) {
      while (!stdout.includes(text) && !stderr.includes(text)) {
        if (isOver) throw new Error(`It ended without printing ${text}: ${stdout}${stderr}`)
        await once(printed, 'text')
      }
    },
  }
}

/** The same, with the URL of the host and a key. */
export function command({ url }: Host, args: readonly string[], { as = 'bot', env = {}, ...options }: RunOptions = {}) {
  return runCli(args, { ...options, env: { CHANGE_REQUESTS_URL: url, CHANGE_REQUESTS_KEY: keyOf(as), ...env } })
}
