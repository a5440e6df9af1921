import { createHash } from 'node:crypto'
import { type EventList, readEvents } from '../operations/read-events'
import type { EventHead, EventScope, Storage } from '../ports/storage'
import { isName } from '../validation/names'
import type { Reply } from './reply'

type EventLists = (scope: EventScope, ifNoneMatch: string | undefined) => Promise<Reply>

const version = 1

const emptyList: EventList = { head: { lastId: 0, total: 0 }, async *pages() {} }

/** Answers lists of events. The log of the instance is kept as it was last sent, and is good while its tag is. */
export function createEventLists(storage: Storage): EventLists {
  let kept: { readonly tag: string; readonly body: Uint8Array } | undefined

  return async (scope, ifNoneMatch) => {
    const { project } = scope
    // Not even asked for, as Postgres refuses a text with NUL, and with it all that is looked up at the same time.
    const nameless = project !== undefined && !isName(project)
    const list = nameless ? emptyList : await readEvents(storage, scope)
    const tag = listTag(scope, list.head)
    const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization', ETag: tag }
    if (matches(ifNoneMatch, tag)) return { status: 304, headers }
    const type = 'application/json; charset=utf-8'
    if (project !== undefined) return { status: 200, headers, type, stream: envelope(list) }
    if (kept?.tag !== tag) kept = { tag, body: await collect(envelope(list)) }
    return { status: 200, headers, type, body: kept.body }
  }
}

async function* envelope({ head, pages }: EventList): AsyncGenerator<Uint8Array[]> {
  let before = Buffer.from(`{"version":${version},"events":[`)
  for await (const page of pages()) {
    yield [before, page]
    before = Buffer.from(',')
  }
  const end = Buffer.from(`],"totalEvents":${head.total}}`)
  yield before.length > 1 ? [before, end] : [end]
}

async function collect(pieces: AsyncIterable<readonly Uint8Array[]>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(...piece)
  return Buffer.concat(all)
}

/** Made of the newest id, the count and the scope (contract 2.4). */
function listTag({ project }: EventScope, { lastId, total }: EventHead): string {
  const scope = project === undefined ? 'all' : createHash('sha256').update(project).digest('base64url').slice(0, 16)
  return `"events-${scope}-${lastId}-${total}"`
}

/** Weak comparison, which is what If-None-Match asks for. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  const wanted = (ifNoneMatch ?? '').split(',').map((value) => value.trim().replace(/^W\//, ''))
  return wanted.includes('*') || wanted.includes(tag)
}
