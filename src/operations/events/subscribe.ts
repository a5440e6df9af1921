import type { EventFilter, EventPage } from '../../ports/storage'
import type { EventFeed } from './event-feed'

export interface SubscriptionLimits {
  /** A follower that gets no events is told so often up to where the log was looked at. */
  readonly heartbeatMs: number
  /** After this long it ends. */
  readonly followMs: number
}

export interface Subscription {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** Begins behind this id. */
  readonly from: number
  /** Ends it, at once. */
  readonly gone: AbortSignal
}

/** Up to where the log was covered, and the events that were found on the way. */
export interface FeedStep {
  readonly page?: EventPage
  readonly position: number
}

/**
 * The events that fit, oldest first, and then those that come, each once. Ends when the time is over, the feed is closed
 * or the follower gone; rejects when the storage fails.
 */
export async function* subscribe(
  feed: EventFeed,
  { filter, grouped, from, gone }: Subscription,
  { heartbeatMs, followMs }: SubscriptionLimits,
): AsyncGenerator<FeedStep> {
  const query = { filter, grouped, key: JSON.stringify([filter, grouped]) }
  const end = performance.now() + followMs
  let told = performance.now()
  let position = from
  const leave = feed.join()
  try {
    while (!gone.aborted && !feed.closed && performance.now() < end) {
      const beat = told + heartbeatMs
      if (feed.head > position) {
        const covered = await feed.read(query, position)
        position = covered.position
        if (covered.page.count > 0) {
          yield covered
          told = performance.now()
          continue
        }
      } else {
        await feed.moved(position, Math.min(beat, end) - performance.now(), gone)
      }
      if (performance.now() < beat || gone.aborted) continue
      yield { position }
      told = performance.now()
    }
    // Whoever comes back need not read again what was covered.
    if (!gone.aborted) yield { position }
  } finally {
    leave()
  }
}
