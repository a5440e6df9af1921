import { eachEvent, idOf } from '../../operations/events/event-bytes'
import { type FeedStep, subscribe } from '../../operations/events/subscribe'
import type { EventFilter, EventPage } from '../../ports/storage'
import { parseLastEventId } from '../../validation/queries/event-id'
import { parseStreamStart } from '../../validation/queries/event-page'
import type { Reply } from '../pipeline/reply'
import type { Call } from '../pipeline/request-context'
import type { RouteServices } from '../routes/route'

/** How long a client waits before it comes back; it is told so at the start. */
const retryMs = 1_000

export interface FollowedEvents {
  readonly filter: EventFilter
  readonly grouped?: boolean
}

/** The events as they come, as server-sent events that never end by themselves. */
export async function followEvents(call: Call, services: RouteServices, events: FollowedEvents): Promise<Reply> {
  const { feed, subscriptionLimits } = services
  const start = parseStreamStart(call.query)
  const asked = parseLastEventId(call.lastEventId) ?? start
  // Asked also of a client that goes on from an id: what cannot be read is refused before the stream begins.
  const present = await feed.present()
  const from = asked ?? present
  const gone = new AbortController()
  const { filter, grouped = false } = events
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Accept',
      'X-Accel-Buffering': 'no',
      // A connection that goes on after the stream would keep a server from closing.
      Connection: 'close',
    },
    type: 'text/event-stream; charset=utf-8',
    stream: blocks(from, subscribe(feed, { filter, grouped, from, gone: gone.signal }, subscriptionLimits)),
    onClose: () => gone.abort(),
  }
}

async function* blocks(from: number, steps: AsyncIterable<FeedStep>): AsyncGenerator<Uint8Array[]> {
  yield [Buffer.from(`retry: ${retryMs}\n${positionBlock(from)}`)]
  for await (const { page, position } of steps) {
    yield [page === undefined ? Buffer.from(positionBlock(position)) : eventBlocks(page)]
  }
}

/** Without data it is no event: it only tells the client where to go on. */
function positionBlock(position: number): string {
  return `id: ${position}\n\n`
}

/** Followers that share a page share its blocks. */
const made = new WeakMap<EventPage, Uint8Array>()

function eventBlocks(page: EventPage): Uint8Array {
  const known = made.get(page)
  if (known !== undefined) return known
  const pieces = eachEvent(page).flatMap((event) => [Buffer.from(`id: ${idOf(event)}\ndata: `), event, blockEnd])
  const blocks = Buffer.concat(pieces)
  made.set(page, blocks)
  return blocks
}

const blockEnd = Buffer.from('\n\n')
