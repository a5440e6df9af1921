import type { Reply } from '../../http/reply'
import type { RequestContext } from '../../http/request-context'
import { eventListTag, isWholeLog } from '../../kernel/etag'
import { separator } from '../../kernel/log/event-bytes'
import type { EventScope } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import { type EventList, readEvents, readNewest } from './read-events'

interface OpenedList extends Pick<RequestContext, 'isFresh'> {
  readonly list: EventList
  readonly scope: EventScope
  readonly facts?: Readonly<Record<string, string>>
}

const version = 1

/**
 * Reads and sends lists of events. The last response for the whole log is cached while its tag, which the head determines, stays the same. While the log
 * changes between two requests, the head and the page are read concurrently instead of one after the other.
 */
export function createEventLists() {
  let cached: { readonly tag: string; readonly body: Uint8Array } | undefined
  let changing = false

  const read = (storage: Storage, scope: EventScope, max: number) =>
    isWholeLog(scope) && changing ? readNewest(storage, max) : readEvents(storage, scope, max)

  const view = async ({ list, scope, facts = {}, isFresh }: OpenedList): Promise<Reply> => {
    const tag = eventListTag(scope, list.head)
    const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept', ETag: tag }
    if (isWholeLog(scope)) changing = cached !== undefined && cached.tag !== tag
    if (isFresh(tag)) return { status: 304, headers }
    const type = 'application/json; charset=utf-8'
    if (!isWholeLog(scope)) return { status: 200, headers, type, stream: envelope(list, facts) }
    if (cached?.tag !== tag) cached = { tag, body: await collect(envelope(list, facts)) }
    return { status: 200, headers, type, body: cached.body }
  }
  return { read, view }
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
