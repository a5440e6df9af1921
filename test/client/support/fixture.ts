import { apiKeys, memoryStorage } from '../../../src'
import { type Client, type ClientOptions, createClient } from '../../../src/client'
import { people, startApp, type TestApp } from '../../support/app'

const reviewer = {
  key: 'key-of-rae-0123456789',
  user: { id: 7, username: 'rae', groups: ['payments'] },
  grants: [{ permission: 'APPROVE_CHANGE_REQUEST' }, { permission: 'READ_EVENTS' }],
}

/** A router, and clients of it. */
export interface Fixture {
  readonly app: TestApp
  /** An admin. */
  readonly ann: Client
  /** A reviewer in the group payments. */
  readonly rae: Client
  /** A user without permissions. */
  readonly eve: Client
  client(options?: Partial<ClientOptions>): Client
}

export async function openFixture(): Promise<Fixture> {
  const app = await startApp({
    storage: memoryStorage(),
    authenticate: apiKeys([...Object.values(people), reviewer]),
    approvalRules: [
      { name: 'payments owners', when: { projects: ['shop'] }, approvals: 1, from: { groups: ['payments'] } },
    ],
    freezes: [
      { name: 'Sale', reason: 'Sales', from: '2999-11-27T00:00:00+01:00', when: { environments: ['production'] } },
    ],
    users: { find: () => [reviewer.user], reviewers: () => [reviewer.user] },
    directory: { searchFeatures: () => ['checkout'] },
    emergency: true,
    recordOnly: true,
    schedule: 'elsewhere',
  })
  const api = `http://127.0.0.1:${app.port}/api/admin`
  const client = (options: Partial<ClientOptions> = {}) => createClient({ api, ...options })
  return {
    app,
    client,
    ann: client({ key: people.ann.key }),
    rae: client({ key: reviewer.key }),
    eve: client({ key: people.eve.key }),
  }
}

export const production = { project: 'shop', environment: 'production' }

export const enabled = (feature = 'checkout', value = true) =>
  ({ action: 'updateEnabled', feature, payload: { enabled: value } }) as const

/** Ann's change request in review. */
export async function inReview({ ann }: Fixture, feature = 'checkout') {
  const { body } = await ann.propose(production, enabled(feature))
  const place = { project: 'shop', id: body.id }
  await ann.setState(place, { state: 'In review' })
  return place
}
