import { createHash } from 'node:crypto'
import { separator } from '../../operations/events/event-bytes'
import { type EventList, readEvents } from '../../operations/events/read-events'
import type { EventHead, EventScope, Storage } from '../../ports/storage'
import type { Reply } from '../pipeline/reply'

/** A list of events that is answered whole. */
export interface ListedEvents {
  readonly scope: EventScope
  /** All of the scope when left out. */
  readonly most?: number
  /** What stands in the envelope beside the events. */
  readonly facts?: Readonly<Record<string, string>>
}

type EventLists = (list: ListedEvents, ifNoneMatch: string | undefined) => Promise<Reply>

const version = 1

/** Answers lists of events. The log of the instance is kept as it was last sent, and is good while its tag is. */
export function createEventLists(storage: Storage): EventLists {
  let kept: { readonly tag: string; readonly body: Uint8Array } | undefined

  return async ({ scope, most = Number.POSITIVE_INFINITY, facts = {} }, ifNoneMatch) => {
    const list = await readEvents(storage, scope, most)
    const tag = listTag(scope, list.head)
    const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept', ETag: tag }
    if (matches(ifNoneMatch, tag)) return { status: 304, headers }
    const type = 'application/json; charset=utf-8'
    if (Object.keys(scope).length > 0) return { status: 200, headers, type, stream: envelope(list, facts) }
    if (kept?.tag !== tag) kept = { tag, body: await collect(envelope(list, facts)) }
    return { status: 200, headers, type, body: kept.body }
  }
}

async function* envelope({ head, pages }: EventList, facts: object): AsyncGenerator<Uint8Array[]> {
  let before = Buffer.from(`${JSON.stringify({ version, ...facts }).slice(0, -1)},"events":[`)
  for await (const { count, json } of pages()) {
    if (count === 0) continue
    yield [before, json]
    before = separator
  }
  const end = Buffer.from(`],"totalEvents":${head.total}}`)
  yield before === separator ? [end] : [before, end]
}

async function collect(pieces: AsyncIterable<readonly Uint8Array[]>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(...piece)
  return Buffer.concat(all)
}

/** Made of the newest id, the count and the scope (contract 2.4). */
function listTag(scope: EventScope, { lastId, total }: EventHead): string {
  const whole = Object.keys(scope).length === 0
  const name = whole ? 'all' : createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 16)
  return `"events-${name}-${lastId}-${total}"`
}

/** Weak comparison, which is what If-None-Match asks for. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  const wanted = (ifNoneMatch ?? '').split(',').map((value) => value.trim().replace(/^W\//, ''))
  return wanted.includes('*') || wanted.includes(tag)
}
