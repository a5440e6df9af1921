import { pause, pauseAfter } from '../../pause'
import type { Logger } from '../../ports/logger'
import type { EventFilter } from '../../ports/storage/events'
import { Cancellation } from './cancellation'
import type { Covered, EventFeed } from './event-feed'
import type { LogPosition } from './position'

const waitMs = 60_000
const firstPauseMs = 200
const maxPauseMs = 5_000

interface FollowServices {
  readonly feed: EventFeed
  readonly logger: Logger
  /** Whether a failure of the storage is already in the log. */
  readonly outage: { covers(error: unknown): boolean }
}

interface Follower {
  readonly filter: EventFilter
  /** Adds the groups of the events, as {@link Storage.eventPage} does. */
  readonly grouped: boolean
  /** Only events after this id; after the newest one when left out. */
  readonly after?: number | undefined
  readonly signal: AbortSignal
}

/**
 * Yields pages of events that match, oldest first, then new ones, each event once. While the storage fails, it retries with
 * pauses. Ends when the signal aborts or the feed is closed, and never rejects. If the log is replaced, as by a restore or by a
 * failover that lost events, it logs an error and continues with the events that are written from then on.
 */
export async function* followPages(
  { feed, logger, outage }: FollowServices,
  { filter, grouped, after, signal }: Follower,
): AsyncGenerator<Covered, void, void> {
  const query = { filter, grouped, key: JSON.stringify([filter, grouped]) }
  const cancellation = new Cancellation()
  const cancel = () => cancellation.cancel()
  signal.addEventListener('abort', cancel)
  const leave = feed.join()
  let position: LogPosition | undefined
  let { epoch } = feed
  let failures = 0
  try {
    while (!signal.aborted && !feed.closed) {
      try {
        if (position === undefined) {
          const newest = await feed.readNewest()
          position = after === undefined ? newest : { id: after, fingerprint: '' }
        }
        if (feed.epoch !== epoch || (position.id > feed.head && (await feed.isLost(position)))) {
          const facts = { position: position.id, newest: feed.head }
          logger.error(facts, 'The event log was replaced. Continuing with its newest event.')
          position = feed.epoch === epoch ? feed.newest : feed.replacedAt
          epoch = feed.epoch
        }
        if (feed.head <= position.id) {
          await feed.waitForEvents(position.id, waitMs, cancellation)
          failures = 0
          continue
        }
        const covered = await feed.read(query, position)
        failures = 0
        if (feed.epoch !== epoch) continue
        position = covered.position
        if (covered.page.count > 0) yield covered
      } catch (err) {
        failures += 1
        const isKnown = failures > 1 || feed.closed || outage.covers(err)
        if (!isKnown) logger.warn({ err }, 'The event log could not be read. Retrying.')
        await pause(pauseAfter(failures, firstPauseMs, maxPauseMs), signal)
      }
    }
  } finally {
    leave()
    signal.removeEventListener('abort', cancel)
  }
}
