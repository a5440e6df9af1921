import supertest from 'supertest'
import {
  type Actor,
  type Authenticate,
  type ChangeRequestRouterOptions,
  memoryStorage,
  type RecordedEvent,
} from '../../../../src'
import { startApp, type TestApp } from '../../../support/app'

const events = (project?: string) => ({ permission: 'READ_EVENTS' as const, ...(project && { project }) })

/** Who reads; the name is the key. */
export const readers = {
  admin: { id: 1, username: 'ann', email: 'ann@example.com', grants: [{ permission: 'ADMIN' }] },
  auditor: { id: null, grants: [events()] },
  ofShop: { id: 11, grants: [events('shop')] },
  ofShopAndBlog: { id: 12, grants: [events('shop'), events('blog')] },
  ofWiki: { id: 13, grants: [events('wiki')] },
  ofShopInProduction: { id: 14, grants: [{ ...events('shop'), environment: 'production' }] },
  adminOfShop: { id: 15, grants: [{ permission: 'ADMIN', project: 'shop' }] },
  authorInShop: { id: 16, grants: [{ permission: 'CREATE_CHANGE_REQUEST', project: 'shop' }] },
  nobody: { id: 17, grants: [] },
} satisfies Record<string, Actor>

export type Reader = keyof typeof readers

export const authenticate: Authenticate = ({ headers }) => readers[headers.authorization as Reader] ?? null

export interface EventFixture extends TestApp {
  /** GETs a path below `/api/admin`. */
  get(path: string, reader?: Reader, headers?: Readonly<Record<string, string>>): supertest.Test
}

const teamTag = { type: 'simple', value: 'Team Needle' }

/** By id, from 1 on, each at a time of its own. */
const log: readonly (readonly [string, RecordedEvent])[] = [
  [
    '2026-03-01T23:59:59.999Z',
    {
      type: 'feature-created',
      project: 'shop',
      featureName: 'checkout',
      createdBy: 'ann@example.com',
      createdByUserId: 1,
      data: { name: 'checkout', note: '50% off_all' },
    },
  ],
  [
    '2026-03-02T00:00:00.000Z',
    {
      type: 'feature-updated',
      project: 'blog',
      environment: 'production',
      featureName: 'checkout',
      createdBy: 'ben@example.com',
      createdByUserId: 2,
      preData: { note: 'a needle' },
      groupType: 'transaction',
      groupId: '01G',
    },
  ],
  ['2026-03-02T23:59:59.999Z', { type: 'segment-created', createdBy: 'needle' }],
  [
    '2026-03-03T00:00:00.000Z',
    {
      type: 'feature-environment-enabled',
      project: 'shop',
      environment: 'production',
      featureName: 'basket',
      createdBy: 'Old Ben',
      createdByUserId: 2,
      tags: [teamTag],
      groupType: 'change-request',
      groupId: '02G',
    },
  ],
  ['2026-03-04T08:00:00.000Z', { type: 'user-created', createdByUserId: -42, createdBy: 'token', data: { id: 3 } }],
]

/** An app whose log has eight events: five of the host, and the three of a change request (created, two changes). */
export async function startEventFixture(options: Partial<ChangeRequestRouterOptions> = {}): Promise<EventFixture> {
  let now = '2026-03-01T08:00:00.000Z'
  const app = await startApp({
    storage: memoryStorage(),
    clock: () => new Date(now),
    authenticate,
    ...options,
  })
  for (const [time, event] of log) {
    now = time
    await app.router.events.record(event)
  }
  now = '2026-03-05T12:00:00.000Z'
  const changes = ['checkout', 'basket'].map((feature) => {
    return { action: 'updateEnabled', feature, payload: { enabled: true } }
  })
  const { status } = await app.propose(changes, { key: 'admin' })
  if (status !== 200) throw new Error(`The proposal was answered ${status}.`)
  return readable(app)
}

/** The app with what reads its log. */
export function readable(app: TestApp): EventFixture {
  return {
    ...app,
    get: (path, reader = 'admin', headers = {}) =>
      supertest(app.server)
        .get(`/api/admin${path}`)
        .set({ Authorization: reader, ...headers }),
  }
}
