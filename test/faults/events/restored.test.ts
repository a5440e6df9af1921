import { knex as createKnex, type Knex } from 'knex'
import { type ApiKey, apiKeys } from '../../../src/index'
import type { EventRow } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import { startApp, type TestApp } from '../../support/app'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'
import { numberOf, openSource } from '../../support/events/event-source'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres'
import { until } from '../support/server'

/** A user who can read the events of one project. */
const reader = {
  key: 'key-of-the-reader-0123456789',
  user: { id: 7, username: 'reader' },
  grants: [{ permission: 'READ_EVENTS', project: 'shop' }],
} satisfies ApiKey

const admin = {
  key: 'key-of-the-admin-0123456789',
  user: { id: 1, username: 'ann' },
  grants: [{ permission: 'ADMIN' }],
} satisfies ApiKey

const stream = 'text/event-stream'

/** A read of each kind that a process remembers something for. */
const reads = [
  { name: 'the newest of the instance', path: '/events', by: admin },
  { name: 'the log of a project', path: '/events?project=shop' },
  { name: 'the log of a flag', path: '/events/checkout' },
  { name: 'a search', path: '/search/events?type=IS:feature-updated&createdBy=IS:2&limit=5' },
  { name: 'the events of a change request', path: '/projects/shop/change-requests/1/timeline', by: admin },
  { name: 'a follower', path: '/search/events?type=IS:feature-updated&after=0', accept: stream },
] as const
type Read = { readonly path: string; readonly by?: { readonly key: string }; readonly accept?: string }

async function ask({ port }: TestApp, { path, by = reader, accept = 'application/json' }: Read, tag?: string | null) {
  const url = `http://127.0.0.1:${port}/api/admin${path}`
  const headers = { Authorization: by.key, Accept: accept }
  if (accept === stream) {
    const source = await openSource(url, { headers })
    await until(() => numberOf(source.lastEventId()) >= last)
    source.leave()
    const text = source.messages.map(({ lastEventId, data }) => `${lastEventId} ${data}`).join('\n')
    return { status: source.status, tag: null, link: null, text }
  }
  const response = await fetch(url, { headers: { ...headers, ...(tag && { 'If-None-Match': tag }) } })
  const { status, headers: answered } = response
  return { status, tag: answered.get('etag'), link: answered.get('link'), text: await response.text() }
}

/** The event with this number in the log. */
function loggedEvent(number: number, project: string, label: string, more: Partial<EventRow> = {}): EventRow {
  const facts = {
    type: number % 3 === 0 ? 'feature-created' : 'feature-updated',
    createdAt: new Date(Date.UTC(2026, 2, 1, 0, number)).toISOString(),
    project,
    environment: 'production',
    featureName: number % 5 < 2 ? 'checkout' : 'basket',
    createdByUserId: (number % 7) + 1,
    ...more,
  }
  const { changeRequestId = null } = more
  const data = { label, number, parity: number % 2 === 0 ? 'even' : 'odd', changeRequestId }
  const createdBy = `user-${facts.createdByUserId}`
  const json = JSON.stringify({ ...facts, createdBy, data, preData: null, tags: [], label: null, summary: null })
  return { ...facts, groupType: null, groupId: null, changeRequestId, json }
}

const copied = 100
const written = 400
const last = copied + written

const quiet = () => undefined
const silent = { debug: quiet, warn: quiet, error: quiet, deprecate: quiet }

interface Process {
  readonly app: TestApp
  readonly storage: Storage
  readonly knex: Knex
  readonly errors: string[]
  close(): Promise<void>
}

/** After the copy: events with the same ids and the same counts, but with the projects swapped. */
function later(label: 'lost' | 'kept'): EventRow[] {
  return Array.from({ length: written }, (_, index) => {
    const number = copied + index
    // The newest events of each scope have the same ids in both logs.
    const isSwapped = label === 'kept' && index < written - 40
    const project = (number % 2 === 0) === isSwapped ? 'secret' : 'shop'
    const logged = (more?: Partial<EventRow>) => loggedEvent(isSwapped ? number + 1 : number, project, label, more)
    if (index % 100 === 0) return logged({ type: 'change-request-requested-approvers-updated', changeRequestId: 1 })
    return isSwapped && index % 100 === 1 ? logged({ createdByUserId: 99 }) : logged()
  })
}

describe('a process whose Postgres was restored to an earlier state', () => {
  let postgres: OwnPostgres
  const processes: Process[] = []

  /** A process with its own caches. */
  async function start(): Promise<Process> {
    const knex = createKnex({ client: 'pg', connection: postgres.url, pool: { min: 0, max: 3 }, log: silent })
    const storage = createKnexStorage({ knex, ...longTimeoutStorage }, migrations)
    const errors: string[] = []
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (_: object, text: string) => errors.push(text) }
    const limits = { followPollMs: 20, heartbeatMs: 100 }
    const app = await startApp({ authenticate: apiKeys([reader, admin]), storage, limits, logger })
    const close = async () => {
      await app.close()
      await knex.destroy()
    }
    const started = { app, storage, knex, errors, close }
    processes.push(started)
    return started
  }

  async function append({ storage }: Process, rows: readonly EventRow[]): Promise<void> {
    for (let first = 0; first < rows.length; first += 200) await storage.appendEvents(rows.slice(first, first + 200))
  }

  const before = new Map<Read, Awaited<ReturnType<typeof ask>>>()
  let asked: Process
  const key = { headers: { 'Idempotency-Key': 'once' }, key: admin.key }
  const propose = ({ app }: Process, feature: string, place = {}) =>
    app.propose({ action: 'updateEnabled', feature, payload: { enabled: true } }, { key: admin.key, ...place })

  beforeAll(async () => {
    postgres = await startOwnPostgres()
    const writer = await start()
    await writer.app.router.migrate()
    await append(
      writer,
      Array.from({ length: copied }, (_, number) =>
        loggedEvent(number, number % 2 === 0 ? 'secret' : 'shop', 'copied'),
      ),
    )
    await propose(writer, 'before')
    await postgres.stop('fast')
    await postgres.copy()
    await postgres.start()

    await append(writer, later('lost'))
    asked = await start()
    for (const read of reads) before.set(read, await ask(asked.app, read))
    await propose(writer, 'lost', { ...key, project: 'lost' })
    await postgres.stop('fast')
    await postgres.restore()
    await postgres.start()

    await append(await start(), later('kept'))
  })
  afterAll(async () => {
    for (const { close } of processes) await close()
    await postgres?.end()
  })

  it.each(reads)('responds to the first request for $name like a new process', async (read) => {
    const answer = await ask(asked.app, read, before.get(read)?.tag)
    const expected = await ask((await start()).app, read)

    expect([answer.status, answer]).toEqual([200, expected])
    expect(answer.text).not.toBe(before.get(read)?.text)
    expect('by' in read || !answer.text.includes('secret')).toBe(true)
    expect(asked.errors).toEqual([])
  })

  it('returns no change requests, settings or idempotency keys that no longer exist', async () => {
    const process = processes[0] as Process
    const { status, headers } = await propose(process, 'again', { ...key, project: 'lost' })
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined])
    expect(process.errors).toEqual([])
    await expectConsistent(process.storage)
  })
})
