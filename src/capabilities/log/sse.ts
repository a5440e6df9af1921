import { ChangeRequestError } from '../../errors'
import type { Reply } from '../../http/reply'
import { Cancellation } from '../../kernel/log/cancellation'
import { eachEvent, fingerprintOf, idOf } from '../../kernel/log/event-bytes'
import { type LogPosition, positionText } from '../../kernel/log/position'
import type { Services } from '../../kernel/services'
import type { EventPage } from '../../ports/storage/events'
import type { EventSelection } from './selection'
import { type FeedStep, subscribe } from './subscribe'

const retryMs = 1_000

interface EventStream {
  readonly from: LogPosition
  readonly blocks: AsyncIterableIterator<Uint8Array[], void>
  readonly stop: () => void
}

/** Subscribes to new events, from now on or after a position. @throws ConflictError for a position that is lost */
export async function openStream(
  { feed, options }: Services,
  { filter, grouped = false }: EventSelection,
  after: LogPosition | undefined,
): Promise<EventStream> {
  // Read even if the client sends a position: if the storage fails, the response is then an error and not an empty stream.
  const newest = await feed.readNewest()
  if (after !== undefined && (await feed.isLost(after))) throw positionLost(newest)
  const from = after ?? newest
  const cancellation = new Cancellation()
  const subscription = { filter, grouped, from, cancellation }
  return { from, blocks: subscribe(feed, subscription, options.limits, toBlocks), stop: () => cancellation.cancel() }
}

function positionLost(newest: LogPosition): ChangeRequestError {
  const message =
    'The event log does not have this position any more, because the database was restored or lost events in a failover. ' +
    'Continue after the newest event.'
  const detail = { message, code: 'position-lost', lastEventId: positionText(newest) } as const
  return new ChangeRequestError('ConflictError', message, { details: [detail] })
}

export function viewStream({ from, blocks, stop }: EventStream): Reply {
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Accept',
      'X-Accel-Buffering': 'no',
    },
    type: 'text/event-stream; charset=utf-8',
    stream: withStart(from, blocks),
    // Its connection is closed after it: one that stays open would keep a server from closing.
    isFollower: true,
    onClose: stop,
  }
}

/** Not a generator, which would take 1 kB for each follower. */
function withStart(from: LogPosition, blocks: EventStream['blocks']): AsyncIterable<Uint8Array[]> {
  let isFirst = true
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (!isFirst) return blocks.next()
        isFirst = false
        const value = [Buffer.from(`retry: ${retryMs}\n${positionBlock(from)}`)]
        return Promise.resolve({ done: false, value })
      },
      async return() {
        await blocks.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}

function toBlocks({ page, position }: FeedStep): Uint8Array[] {
  return [page === undefined ? Buffer.from(positionBlock(position)) : eventBlocks(page)]
}

/** A block without data is not an event: it only moves the last event id of the client. */
function positionBlock(position: LogPosition): string {
  return `id: ${positionText(position)}\n\n`
}

/** Subscribers that share a page share its blocks. */
const cache = new WeakMap<EventPage, Uint8Array>()

function eventBlocks(page: EventPage): Uint8Array {
  const known = cache.get(page)
  if (known !== undefined) return known
  const pieces = eachEvent(page).flatMap((event) => {
    const position = positionText({ id: idOf(event), fingerprint: fingerprintOf(event) })
    return [Buffer.from(`id: ${position}\ndata: `), event, blockEnd]
  })
  const blocks = Buffer.concat(pieces)
  cache.set(page, blocks)
  return blocks
}

const blockEnd = Buffer.from('\n\n')
