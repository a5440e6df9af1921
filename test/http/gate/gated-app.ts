import express, { type Express, type Request, type RequestHandler } from 'express'
import supertest from 'supertest'
import {
  apiKeys,
  type ChangeRequestRouter,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  memoryStorage,
} from '../../../src'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'

const place = { project: 'shop', environment: 'production' }

/** Ann proposes, Ben can skip the review in production, as a bot can; Cara has all permissions, Eve none. */
export const keys = {
  ann: 'key-of-ann-0123456789',
  ben: 'key-of-ben-0123456789',
  cara: 'key-of-cara-0123456789',
  eve: 'key-of-eve-0123456789',
  bot: 'key-of-bot-0123456789',
} as const

export type Who = keyof typeof keys

export const authenticate = apiKeys([
  { key: keys.ann, user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
  {
    key: keys.ben,
    user: { id: 2, username: 'ben', email: 'ben@example.com' },
    grants: [{ permission: 'SKIP_CHANGE_REQUEST', ...place }],
  },
  { key: keys.cara, user: { id: 3, username: 'cara' }, grants: [{ permission: 'ADMIN' }] },
  { key: keys.eve, user: { id: 4, username: 'eve' }, grants: [] },
  {
    key: keys.bot,
    user: { id: 9, username: 'bot', kind: 'service' },
    grants: [{ permission: 'SKIP_CHANGE_REQUEST', ...place }],
  },
])

export const production = () => place

/** Describes the place in the body of the request. */
export const fromBody = ({ body }: Request) => ({ project: 'shop', environment: body.environment })

/** The handler of a host: records that the flag was archived. */
export function archives(router: ChangeRequestRouter): RequestHandler {
  return (req, res, next) => {
    router.events
      .record({ type: 'feature-archived', ...place, featureName: req.params.name as string })
      .then(() => res.json(req.body ?? null), next)
  }
}

export function openGated(
  mount: (app: Express, router: ChangeRequestRouter) => void,
  options: Partial<ChangeRequestRouterOptions> = {},
) {
  const router = createChangeRequestRouter({
    storage: memoryStorage(),
    authenticate,
    logger: false,
    limits: longTimeoutLimits,
    ...options,
  })
  const app = express()
  mount(app, router)
  app.use(router)
  const send = (
    who: Who | null,
    method: 'get' | 'patch' | 'put' | 'post',
    path: string,
    body?: object,
    headers = {},
  ) => {
    const key = who === null ? {} : { Authorization: keys[who] }
    return supertest(app)
      [method](path)
      .set({ ...key, ...headers })
      .send(body)
  }
  return {
    app,
    router,
    send,
    async events() {
      const { body } = await send('cara', 'get', '/api/admin/events').expect(200)
      return body.events as { type: string; data: { skippedChangeRequest?: object } | null }[]
    },
  }
}
