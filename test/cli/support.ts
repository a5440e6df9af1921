import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage, type Storage } from '../../src'
import { createClient } from '../../src/client'
import { longTimeoutLimits } from '../support/databases/long-timeouts'

const root = join(__dirname, '../..')
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
export async function openHost(storage: Storage = memoryStorage()) {
  const router = createChangeRequestRouter({
    ...{ storage, authenticate, recordOnly: true, schedule: 'elsewhere', logger: false },
    featureNames: 'any',
    limits: longTimeoutLimits,
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
  readonly cwd?: string
  readonly script?: string
}

/** Runs `npx express-change-requests …` as a process of its own. */
export function command({ url }: Host, args: readonly string[], options: RunOptions = {}) {
  const { as = 'bot', input = '', env = {}, cwd = root, script = join(root, 'dist/cli.js') } = options
  const { PATH = '' } = process.env
  const variables = { PATH, CHANGE_REQUESTS_URL: url, CHANGE_REQUESTS_KEY: keyOf(as), ...env }
  const child = spawn(process.execPath, [script, ...args], { cwd, env: variables })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end(input)
  const exit = once(child, 'close').then(([status]) => ({ status: status as number, stdout, stderr }))
  return {
    exit,
    child,
    /** Waits until it has printed this. */
    async printed(text: string) {
      while (!stdout.includes(text) && !stderr.includes(text)) {
        if (child.exitCode !== null) throw new Error(`It ended without printing ${text}: ${stdout}${stderr}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
