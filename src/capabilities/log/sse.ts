import type { Reply } from '../../http/reply'
import { Cancellation } from '../../kernel/events/cancellation'
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
  const cancellation = new Cancellation()
  const subscription = { filter, grouped, from, cancellation }
  return { from, steps: subscribe(feed, subscription, options.limits), stop: () => cancellation.cancel() }
}

/** A stream of server-sent events. */
export function viewStream({ from, steps, stop }: EventStream): Reply {
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Accept',
      'X-Accel-Buffering': 'no',
    },
    type: 'text/event-stream; charset=utf-8',
    stream: blocks(from, steps),
    isPaced: true,
    // A connection that stays open after the stream would keep a server from closing.
    isUnframed: true,
    onClose: stop,
  }
}

/** Not a generator, which would take 1 kB for each follower. */
function blocks(from: number, steps: AsyncIterable<FeedStep>): AsyncIterable<Uint8Array[]> {
  const iterator = steps[Symbol.asyncIterator]()
  let isFirst = true
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (!isFirst) return iterator.next().then(toBlocks)
        isFirst = false
        const value = [Buffer.from(`retry: ${retryMs}\n${positionBlock(from)}`)]
        return Promise.resolve({ done: false, value })
      },
      async return() {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}

function toBlocks(step: IteratorResult<FeedStep, void>): IteratorResult<Uint8Array[], void> {
  if (step.done) return { done: true, value: undefined }
  const { page, position } = step.value
  return { done: false, value: [page === undefined ? Buffer.from(positionBlock(position)) : eventBlocks(page)] }
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
