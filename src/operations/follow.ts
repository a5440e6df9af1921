import type { EventFilter, EventPage } from '../ports/storage'
import type { Tail } from './tail'

export interface FollowLimits {
  /** A follower that gets no events is told so often up to where the log was looked at. */
  readonly heartbeatMs: number
  /** After this long it ends. */
  readonly followMs: number
}

export interface Follow {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** Begins behind this id. */
  readonly from: number
  /** Ends it, at once. */
  readonly gone: AbortSignal
}

/** Up to where the log was covered, and the events that were found on the way. */
export interface FollowStep {
  readonly page?: EventPage
  readonly position: number
}

/**
 * The events that fit, oldest first, and then those that come, each once. Ends when the time is over, the tail is closed
 * or the follower gone; rejects when the storage fails.
 */
export async function* follow(
  tail: Tail,
  { filter, grouped, from, gone }: Follow,
  { heartbeatMs, followMs }: FollowLimits,
): AsyncGenerator<FollowStep> {
  const query = { filter, grouped, key: JSON.stringify([filter, grouped]) }
  const end = performance.now() + followMs
  let told = performance.now()
  let position = from
  const leave = tail.join()
  try {
    while (!gone.aborted && !tail.closed && performance.now() < end) {
      const beat = told + heartbeatMs
      if (tail.head > position) {
        const covered = await tail.read(query, position)
        position = covered.position
        if (covered.page.count > 0) {
          yield covered
          told = performance.now()
          continue
        }
      } else {
        await tail.moved(position, Math.min(beat, end) - performance.now(), gone)
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
