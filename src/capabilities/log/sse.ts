import type { Reply } from '../../http/reply'
import { eachEvent, idOf } from '../../kernel/events/event-bytes'
import type { Services } from '../../kernel/services'
import type { EventPage } from '../../ports/storage/events'
import type { EventSelection } from './selection'
import { type FeedStep, subscribe } from './subscribe'

/** The time after which a client reconnects. */
const retryMs = 1_000

/** A subscription that has not started yet. */
export interface EventStream {
  /** The stream begins after this id. */
  readonly from: number
  readonly steps: AsyncIterable<FeedStep>
  /** Ends the subscription. */
  readonly stop: () => void
}

/** Subscribes to new events, from now on or after an id. */
export async function openStream(
  { feed, options }: Services,
  { filter, grouped = false }: EventSelection,
  after: number | undefined,
): Promise<EventStream> {
  // Read even if the client sends an id: if the storage fails, the response is then an error and not an empty stream.
  const lastId = await feed.readLastId()
  const from = after ?? lastId
  const controller = new AbortController()
  const subscription = { filter, grouped, from, signal: controller.signal }
  return { from, steps: subscribe(feed, subscription, options.limits), stop: () => controller.abort() }
}

/** A stream of server-sent events. */
export function viewStream({ from, steps, stop }: EventStream): Reply {
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Accept',
      'X-Accel-Buffering': 'no',
      // A connection that stays open after the stream would keep a server from closing.
      Connection: 'close',
    },
    type: 'text/event-stream; charset=utf-8',
    stream: blocks(from, steps),
    onClose: stop,
  }
}

async function* blocks(from: number, steps: AsyncIterable<FeedStep>): AsyncGenerator<Uint8Array[]> {
  yield [Buffer.from(`retry: ${retryMs}\n${positionBlock(from)}`)]
  for await (const { page, position } of steps) {
    yield [page === undefined ? Buffer.from(positionBlock(position)) : eventBlocks(page)]
  }
}

/** A block without data is not an event: it only moves the last event id of the client. */
function positionBlock(position: number): string {
  return `id: ${position}\n\n`
}

/** Subscribers that share a page share its blocks. */
const cache = new WeakMap<EventPage, Uint8Array>()

function eventBlocks(page: EventPage): Uint8Array {
  const known = cache.get(page)
  if (known !== undefined) return known
  const pieces = eachEvent(page).flatMap((event) => [Buffer.from(`id: ${idOf(event)}\ndata: `), event, blockEnd])
  const blocks = Buffer.concat(pieces)
  cache.set(page, blocks)
  return blocks
}

const blockEnd = Buffer.from('\n\n')
