import { type ApiKey, apiKeys, type ChangeRequestRouterOptions, type Storage } from '../../../src/index'
import type { EventRow } from '../../../src/ports/storage/events'
import { until } from '../../faults/support/server'
import { startApp, type TestApp } from '../app'
import { numberOf, openSource } from './event-source'

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

/** An app whose log is queried, like the app of a separate process. */
export function startLogApp(storage: Storage, options: Partial<ChangeRequestRouterOptions> = {}): Promise<TestApp> {
  const limits = { followPollMs: 20, heartbeatMs: 100 }
  return startApp({ authenticate: apiKeys([reader, admin]), storage, limits, ...options })
}

export interface Question {
  readonly name: string
  readonly path: string
  readonly headers: { readonly Authorization: string; readonly Accept: string }
}

const question = (name: string, path: string, { accept = 'application/json', key = reader.key } = {}): Question => ({
  name,
  path: `/api/admin${path}`,
  headers: { Authorization: key, Accept: accept },
})

const [ndjson, csv, stream] = ['application/x-ndjson', 'text/csv', 'text/event-stream']
export const asAdmin = { Authorization: admin.key }

/** One query for each kind of read of the log. */
export const questions: readonly Question[] = [
  question('the newest of the instance', '/events', { key: admin.key }),
  question('the log of a project', '/events?project=shop'),
  question('the log of a flag', '/events/checkout'),
  question('a search by type', '/search/events?type=IS:feature-updated&limit=30'),
  question('a search by type and creator', '/search/events?type=IS:feature-updated&createdBy=IS:2&limit=5'),
  question('a search for a creator of few events', '/search/events?createdBy=IS:99'),
  question('a search with an offset', '/search/events?type=IS:feature-updated&offset=60&limit=10'),
  question('a search for the history of a flag', '/search/events?feature=IS:checkout&limit=30'),
  question('a search for a text', '/search/events?type=IS:feature-updated&query=even&limit=30'),
  question('an export as NDJSON', '/search/events?type=IS:feature-updated', { accept: ndjson }),
  question('an export of a flag as NDJSON', '/events/checkout', { accept: ndjson }),
  question('an export as CSV, oldest first', '/search/events?createdBy=IS:2&order=asc', { accept: csv }),
  question('the creators', '/event-creators'),
  question('the days', '/search/events/activity?from=2026-03-01&to=2026-03-31'),
  question('the events of a change request', '/projects/shop/change-requests/1/timeline', { key: admin.key }),
  question('a follower from the start', '/search/events?type=IS:feature-updated&after=0', { accept: stream }),
]

export interface Answer {
  readonly status: number
  readonly tag: string | null
  readonly link: string | null
  readonly text: string
}

/** @param head the newest id of the log, at which a follower stops. */
export async function ask(
  { port }: Pick<TestApp, 'port'>,
  { path, headers }: Question,
  { head, tag }: { readonly head: number; readonly tag?: string | null },
): Promise<Answer> {
  const url = `http://127.0.0.1:${port}${path}`
  if (headers.Accept === stream) return followed(url, headers, head)
  const response = await fetch(url, { headers: { ...headers, ...(tag && { 'If-None-Match': tag }) } })
  const { status, headers: answered } = response
  return { status, tag: answered.get('etag'), link: answered.get('link'), text: await response.text() }
}

async function followed(url: string, headers: Question['headers'], head: number): Promise<Answer> {
  const source = await openSource(url, { headers })
  await until(() => numberOf(source.lastEventId()) >= head)
  source.leave()
  const texts = source.messages.map(({ lastEventId, data }) => `${lastEventId} ${data}`)
  return { status: source.status, tag: null, link: null, text: texts.join('\n') }
}

/** The event with this number in the log. */
export function loggedEvent(number: number, project: string, label: string): EventRow {
  const facts = {
    type: number % 3 === 0 ? 'feature-created' : 'feature-updated',
    createdAt: new Date(Date.UTC(2026, 2, 1, 0, number)).toISOString(),
    project,
    environment: 'production',
    featureName: number % 5 < 2 ? 'checkout' : 'basket',
    createdByUserId: (number % 7) + 1,
  }
  const data = { label, number, parity: number % 2 === 0 ? 'even' : 'odd' }
  const createdBy = `user-${facts.createdByUserId}`
  const json = JSON.stringify({ ...facts, createdBy, data, preData: null, tags: [], label: null, summary: null })
  return { ...facts, groupType: null, groupId: null, changeRequestId: null, json }
}
