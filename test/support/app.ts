import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import supertest, { type Test } from 'supertest'
import {
  type ApiKey,
  apiKeys,
  type ChangeRequestRouter,
  type ChangeRequestRouterOptions,
  type CustomFields,
  createChangeRequestRouter,
  type Storage,
} from '../../src/index'
import { longTimeoutLimits } from './databases/long-timeouts'

/** The time of the default clock of an app under test. */
export const noon = '2026-03-04T12:00:00.000Z'

/** Callers with their own keys: an admin, a member of project shop, a user without grants, a key without a user. */
export const people = {
  ann: {
    key: 'key-of-ann-0123456789',
    user: {
      id: 1,
      username: 'ann',
      name: 'Ann Lee',
      email: 'ann@example.com',
      imageUrl: 'https://img.example/ann.png',
    },
    grants: [{ permission: 'ADMIN' }],
  },
  ben: {
    key: 'key-of-ben-0123456789',
    user: { id: 2, username: 'ben', email: 'ben@example.com' },
    grants: [{ permission: 'CREATE_CHANGE_REQUEST', project: 'shop', environment: 'production' }],
  },
  eve: { key: 'key-of-eve-0123456789', user: { id: 3, username: 'eve' }, grants: [] },
  robot: {
    key: 'key-of-robot-0123456789',
    user: { id: null, username: 'robot' },
    grants: [{ permission: 'ADMIN' }],
  },
} satisfies Record<string, ApiKey>

type Options = Partial<ChangeRequestRouterOptions> & { readonly storage: Storage }

/** Sets up the host app around the router. */
export interface Host {
  readonly before?: (app: Express) => void
  readonly after?: (app: Express) => void
  /** The host app, if another Express creates it. */
  readonly app?: Express
}

interface Place {
  readonly key?: string
  readonly project?: string
  readonly environment?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An app with the router, listening on its own port. */
export interface TestApp {
  readonly router: ChangeRequestRouter
  readonly server: Server
  readonly port: number
  /** POSTs changes, by default as Ann into project shop, environment production. */
  propose(body: object, place?: Place): Test
  /** GETs the event log as Ann; `query` begins with a question mark. */
  events(query?: string, place?: Pick<Place, 'key' | 'headers'>): Test
  close(): Promise<void>
}

export function changeRequestsPath(project = 'shop', environment = 'production'): string {
  return `/api/admin/projects/${project}/environments/${environment}/change-requests`
}

/**
 * Starts an app as a host would. Defaults: the keys of {@link people}, a clock at noon, a silent logger, long timeouts.
 */
export async function startApp(options: Options, host: Host = {}): Promise<TestApp> {
  const router = createChangeRequestRouter({
    authenticate: apiKeys(Object.values(people)),
    clock: () => new Date(noon),
    logger: false,
    ...options,
    limits: { ...longTimeoutLimits, ...options.limits },
  })
  const app = host.app ?? express()
  host.before?.(app)
  app.use(router)
  host.after?.(app)
  const server = createServer({ keepAliveTimeout: 0 }, app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    router,
    server,
    port: (server.address() as AddressInfo).port,
    propose(body, { key = people.ann.key, project, environment, headers = {} } = {}) {
      const request = supertest(server).post(changeRequestsPath(project, environment))
      return request.set({ Authorization: key, ...headers }).send(body)
    },
    events(query = '', { key = people.ann.key, headers = {} } = {}) {
      return supertest(server)
        .get(`/api/admin/events${query}`)
        .set({ Authorization: key, ...headers })
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await router.close()
    },
  }
}

/** A custom field that is not required. */
export const ticketField: CustomFields = {
  schema: {
    type: 'object',
    properties: { ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' } },
    additionalProperties: false,
  },
  searchable: 'ticket',
}

/** The update of a flag that most tests propose. */
export function enable(feature = 'checkout', enabled = true) {
  return { action: 'updateEnabled', feature, payload: { enabled } }
}
