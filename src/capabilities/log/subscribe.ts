import type { Cancellation } from '../../kernel/events/cancellation'
import type { EventFeed } from '../../kernel/events/event-feed'
import type { LogPosition } from '../../kernel/events/position'
import type { Limits } from '../../options/limits'
import type { EventFilter, EventPage } from '../../ports/storage/events'

export interface Subscription {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** Only events after this position. */
  readonly from: LogPosition
  /** Ends the subscription immediately. */
  readonly cancellation: Cancellation
}

/** How far the log was searched, and the events that were found. */
export interface FeedStep {
  readonly page?: EventPage
  readonly position: LogPosition
}

/**
 * Yields the events that match, oldest first, then new ones, each once. Ends after the time limit, when the feed is closed,
 * when the client disconnects or when the position is lost; rejects if the storage fails.
 */
export async function* subscribe(
  feed: EventFeed,
  { filter, grouped, from, cancellation }: Subscription,
  { heartbeatMs, followMs }: Pick<Limits, 'heartbeatMs' | 'followMs'>,
): AsyncGenerator<FeedStep> {
  const query = { filter, grouped, key: JSON.stringify([filter, grouped]) }
  const end = performance.now() + followMs
  let lastStepAt = performance.now()
  let position = from
  const { epoch } = feed
  const removeFollower = feed.join()
  try {
    // After the log was replaced, the client must subscribe again: its position may be lost.
    while (!cancellation.isCancelled && !feed.closed && feed.epoch === epoch && performance.now() < end) {
      const nextHeartbeat = lastStepAt + heartbeatMs
      if (feed.head > position.id) {
        const covered = await feed.read(query, position)
        if (feed.epoch !== epoch) return
        position = covered.position
        if (covered.page.count > 0) {
          yield covered
          lastStepAt = performance.now()
          continue
        }
      } else {
        await feed.waitForEvents(position.id, Math.min(nextHeartbeat, end) - performance.now(), cancellation)
      }
      if (performance.now() < nextHeartbeat || cancellation.isCancelled || feed.epoch !== epoch) continue
      // On a standby, the log may be behind the position; once it is the primary, such a position is lost.
      if (position.id > feed.head && (await feed.isLost(position))) return
      yield { position }
      lastStepAt = performance.now()
    }
    // A client that reconnects continues after this id.
    if (!cancellation.isCancelled && feed.epoch === epoch) yield { position }
  } finally {
    removeFollower()
  }
}
