import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import type { Knex } from 'knex'
import type { ChangeRequestRouter, Logger, Permission } from '../../../src'
import { createClient } from '../../../src/client'
import { databases, type TestDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type SlackMessage, slackApp, startSlack } from './slack-server'

interface User {
  readonly id: number
  readonly username: string
  readonly email?: string
  readonly [property: string]: unknown
}

interface AppOptions {
  readonly knex: Knex
  readonly users: readonly { readonly key: string; readonly user: User; readonly grants: object[] }[]
  readonly slack: typeof slackApp & { readonly url: string }
  readonly publicUrl: string
  readonly logger: Logger
  readonly limits: object
  readonly findUsers?: (member: { readonly id: string }) => readonly User[]
}

const { createApp }: { createApp(options: AppOptions): Promise<{ app: Express; router: ChangeRequestRouter }> } =
  require('../../../examples/slack/app')

const people = {
  ann: { id: 1, name: 'Ann Lee', email: 'ann@example.com' },
  ben: { id: 2, name: 'Ben Ode', email: 'ben@example.com' },
  cara: { id: 3, name: 'Cara Diaz', email: 'cara@example.com' },
  eve: { id: 4, name: 'Eve Poe', email: 'eve@example.com' },
  // Two users share an address, and a machine has one.
  tom: { id: 5, email: 'team@example.com' },
  tim: { id: 6, email: 'team@example.com' },
  kim: { id: 8, email: 'kim@example.com' },
  // Without an address, which is no address in common.
  zoe: { id: 9 },
  max: { id: 10, email: '' },
  bot: { id: 7, email: 'bot@example.com', kind: 'service' },
} as const

export type Name = keyof typeof people

const reviews = ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS'] as const
const grantsOf = (name: Name): object[] => {
  const permissions: readonly Permission[] = name === 'eve' ? ['READ_CHANGE_REQUEST'] : reviews
  return permissions.map((permission) => ({ permission }))
}

export const keyOf = (name: Name): string => `${name}-0123456789abcdef0123456789abcdef`

export const users: AppOptions['users'] = (Object.keys(people) as Name[]).map((username) => ({
  key: keyOf(username),
  user: { username, ...people[username] },
  grants: grantsOf(username),
}))

export const enable = (feature = 'checkout', enabled = true) =>
  ({ action: 'updateEnabled', feature, payload: { enabled } }) as const

/** The app of the example on a database, next to a Slack of its own, where all users are members. */
export async function openSlackApp(
  database: TestDatabase = databases[0] as TestDatabase,
  options: Partial<AppOptions> = {},
) {
  const slack = await startSlack()
  const opened = await database.open({ migrate: false, namedSchema: false })
  const lines: { readonly level: string; readonly message: string; readonly err?: unknown }[] = []
  const log = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts })
  const logger = { debug() {}, info: log('info'), warn: log('warn'), error: log('error') }
  const servers: Server[] = []
  const routers: ChangeRequestRouter[] = []

  /** Another process with the same database. */
  async function start(): Promise<string> {
    const { app, router } = await createApp({
      ...{ knex: opened.knex, users, logger, publicUrl: 'https://flags.example' },
      slack: { ...slackApp, url: slack.url },
      limits: { ...longTimeoutLimits, followPollMs: 20 },
      ...options,
    })
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    routers.push(router)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const url = await start()
  for (const { user } of users) slack.addMember(memberOf(user.username), user.email)
  const as = (name: Name) => createClient({ api: `${url}/api/admin`, key: keyOf(name) })
  const place = (id = 1) => ({ project: 'default', id })
  return {
    url,
    slack,
    lines,
    as,
    place,
    knex: opened.knex,
    startAnother: start,
    /** Of the first process. */
    router: routers[0] as ChangeRequestRouter,
    review: async (id = 1) => (await as('eve').review(place(id))).body,
    /** The types of all events of the log, oldest first, with their authors. */
    async events() {
      const { events } = (await as('ann').searchEvents({}, { limit: 100 })).body
      return events.map(({ type, createdBy }) => `${type} by ${createdBy}`).reverse()
    },
    /** Ann proposes, and sends it to review. */
    async submit(...changes: ReturnType<typeof enable>[]) {
      const list = changes.length === 0 ? [enable()] : changes
      const { body } = await as('ann').propose({ project: 'default', environment: 'production' }, list)
      await as('ann').setState(place(body.id), { state: 'In review' })
      return body.id
    },
    click: (name: Name, message: SlackMessage, action: string) =>
      slack.interact(url, memberOf(name), slack.clickOn(message, action)),
    async close() {
      for (const router of routers) await router.close()
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
      await slack.stop()
      await expectConsistent(opened.storage)
      await opened.close()
      // Nobody who reads the log may post as the app, or respond to a click.
      const logged = lines.map(
        ({ err, ...line }) => `${JSON.stringify(line)} ${err instanceof Error ? err.stack : err}`,
      )
      expect(logged.filter((line) => line.includes('xoxb') || line.includes('/actions/'))).toEqual([])
    },
  }
}

export const memberOf = (name: string): string => `U${name.toUpperCase()}`
