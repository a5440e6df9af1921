import type { Knex } from 'knex'
import { type ApiKey, apiKeys, type Grant } from '../../../src'
import { noon, startApp, type TestApp } from '../../support/app'
import type { OpenDatabase } from '../../support/databases'
import { checkedFetch } from '../../support/openapi-answers'
import { flagsWereOff, rewrite } from '../support/rewrite'

const grants = (permissions: string[], place: Omit<Grant, 'permission'> = {}) =>
  permissions.map((permission) => ({ permission, ...place }))
const write = ['CREATE_CHANGE_REQUEST']
const review = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']

/**
 * The callers. Grants apply to all projects and environments, except those of Uma, which apply to one environment. Ann
 * and Ben have a second key each, which only permits reading.
 */
export const people = {
  ann: key(1, 'ann', grants([...write, ...review])),
  ben: key(2, 'ben', grants(review)),
  cas: key(3, 'cas', grants([...write, ...review])),
  dora: key(4, 'dora', grants(['ADMIN'])),
  eve: key(5, 'eve', grants(['READ_CHANGE_REQUEST'])),
  finn: key(6, 'finn', []),
  uma: key(7, 'uma', grants([...write, ...review], { environment: 'moon' })),
  robot: key(null, 'robot', grants(['ADMIN'])),
  annReading: key(1, 'ann-reading', grants(['READ_CHANGE_REQUEST'])),
  benReading: key(2, 'ben-reading', grants(['READ_CHANGE_REQUEST'])),
} satisfies Record<string, ApiKey>

export type Who = keyof typeof people

function key(id: number | null, username: string, grants: readonly Grant[]): ApiKey & { key: string } {
  return { key: `key-of-${username}-0123456789`, user: { id, username }, grants }
}

/** Projects that the host knows. */
export const projects = ['shop', 'blog']

/** A change request and the first of its two changes, in a separate environment. Its author has commented on it last. */
export interface Target {
  readonly id: number
  readonly changeId: number
}

export interface Answer {
  readonly status: number
  readonly name: string | undefined
}

export interface Sent {
  readonly who: Who
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const path = '/api/admin/projects/shop'

/** A router over a database, with change requests in the states that a request is tried on. */
export class MatrixFixture {
  readonly #database: OpenDatabase
  readonly #app: TestApp
  readonly #fetch = checkedFetch()
  #environments = 0

  private constructor(database: OpenDatabase, app: TestApp) {
    this.#database = database
    this.#app = app
  }

  static async open(database: OpenDatabase): Promise<MatrixFixture> {
    const app = await startApp({
      storage: database.storage,
      authenticate: apiKeys(Object.values(people)),
      directory: { hasProject: (project) => projects.includes(project) },
      playground: () => ({ input: {}, features: [] }),
      recordOnly: true,
      schedule: 'elsewhere',
      emergency: true,
    })
    return new MatrixFixture(database, app)
  }

  /** Every response is checked against openapi.json. */
  async send(method: string, path: string, { who, body, headers }: Sent): Promise<Answer> {
    const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await this.#fetch(`http://127.0.0.1:${this.#app.port}${path}`, {
      method,
      headers: { Authorization: people[who].key, ...content, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, name: response.status >= 400 ? JSON.parse(text).name : undefined }
  }

  /** A fresh change request of the author in the state. */
  async make(author: Who, state: string): Promise<Target> {
    this.#environments += 1
    const proposals = `${path}/environments/e${this.#environments}/change-requests`
    const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
    const { id, features } = await this.#granted(author, 'POST', proposals, [change, change])
    const reviewer = author === 'ben' ? 'cas' : 'ben'
    if (state === 'Emergency') {
      const urgent = { state: 'Applied', emergency: { reason: 'It cannot wait.' } }
      await this.#granted(author, 'PUT', `${path}/change-requests/${id}/state`, { state: 'In review' })
      await this.#granted('dora', 'PUT', `${path}/change-requests/${id}/state`, urgent)
    }
    for (const [who, step] of stepsTo[state] ?? []) {
      const caller = who === 'author' ? author : reviewer
      await this.#granted(caller, 'PUT', `${path}/change-requests/${id}/state`, { state: step })
    }
    await this.#granted(author, 'POST', `${path}/change-requests/${id}/comments`, { text: 'Look' })
    if (state === 'Being applied') await this.#beginApplication(id)
    if (state === 'Reversible') await rewrite(this.#database.storage, id, flagsWereOff)
    return { id, changeId: features[0].changes[0].id }
  }

  /** The state during an apply of a gateway without a shared transaction. */
  #beginApplication(id: number): Promise<void> {
    return rewrite(this.#database.storage, id, ({ createdBy: person }) => {
      return {
        applying: {
          applyId: 'an-apply',
          startedAt: noon,
          digest: 'sha256:0',
          by: { person, signature: 'ben', ip: null },
        },
      }
    })
  }

  /** The ids of a deleted draft. */
  async makeDeleted(author: Who): Promise<Target> {
    const target = await this.make(author, 'Draft')
    await this.#granted(author, 'DELETE', `${path}/change-requests/${target.id}`)
    return target
  }

  async #granted(who: Who, method: string, path: string, body?: object) {
    const response = await fetch(`http://127.0.0.1:${this.#app.port}${path}`, {
      method,
      headers: { Authorization: people[who].key, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  contents(): Promise<string> {
    return contents(this.#database.knex)
  }

  async close(): Promise<void> {
    await this.#app.close()
    await this.#database.close()
  }
}

const stepsTo: { readonly [state: string]: readonly (readonly ['author' | 'reviewer', string])[] } = {
  'In review': [['author', 'In review']],
  Approved: [
    ['author', 'In review'],
    ['reviewer', 'Approved'],
  ],
  Reversible: [
    ['author', 'In review'],
    ['reviewer', 'Approved'],
    ['author', 'Applied'],
  ],
  'Being applied': [
    ['author', 'In review'],
    ['reviewer', 'Approved'],
  ],
  Applied: [
    ['author', 'In review'],
    ['reviewer', 'Approved'],
    ['reviewer', 'Applied'],
  ],
  Rejected: [
    ['author', 'In review'],
    ['reviewer', 'Rejected'],
  ],
  Cancelled: [['author', 'Cancelled']],
}

const tables = ['change_requests', 'change_request_subjects', 'settings', 'idempotency', 'events', 'event_counts']

/** Every row of every table that a write could touch. */
async function contents(knex: Knex): Promise<string> {
  const rows = await Promise.all(
    tables.map((name) =>
      knex(`ffcr_${name}`)
        .select()
        .orderBy([1, 2] as never),
    ),
  )
  return JSON.stringify(Object.fromEntries(tables.map((name, index) => [name, rows[index]])), null, 1)
}
