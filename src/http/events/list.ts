import { createHash } from 'node:crypto'
import { separator } from '../../operations/events/event-bytes'
import type { EventList } from '../../operations/events/read-events'
import type { EventHead, EventScope } from '../../ports/storage'
import type { Reply } from '../pipeline/reply'
import type { RequestContext } from '../pipeline/request-context'

/** A list of events whose head has been read. */
export interface OpenedList extends Pick<RequestContext, 'isFresh'> {
  readonly list: EventList
  readonly scope: EventScope
  /** Other members of the envelope. */
  readonly facts?: Readonly<Record<string, string>>
}

export type EventListView = (opened: OpenedList) => Promise<Reply>

const version = 1

/** Makes the view of event lists. It keeps the last answer for the whole log as long as the tag stays the same. */
export function createEventListView(): EventListView {
  let kept: { readonly tag: string; readonly body: Uint8Array } | undefined

  return async ({ list, scope, facts = {}, isFresh }) => {
    const tag = listTag(scope, list.head)
    const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept', ETag: tag }
    if (isFresh(tag)) return { status: 304, headers }
    const type = 'application/json; charset=utf-8'
    if (!isWhole(scope)) return { status: 200, headers, type, stream: envelope(list, facts) }
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
  const name = isWhole(scope)
    ? 'all'
    : createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 16)
  return `"events-${name}-${lastId}-${total}"`
}

function isWhole(scope: EventScope): boolean {
  return Object.keys(scope).length === 0
}
