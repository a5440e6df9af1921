import type { Cancellation } from '../../kernel/log/cancellation'
import type { Covered, EventFeed, FeedQuery } from '../../kernel/log/event-feed'
import type { LogPosition } from '../../kernel/log/position'
import type { Limits } from '../../options/limits'
import type { EventFilter, EventPage } from '../../ports/storage/events'

export interface Subscription {
  readonly filter: EventFilter
  readonly grouped: boolean
  readonly from: LogPosition
  readonly cancellation: Cancellation
}

/** How far the log was searched, and the events that were found. */
export interface FeedStep {
  readonly page?: EventPage
  readonly position: LogPosition
}

/**
 * Yields a view of the events that match, oldest first, then new ones, each once. Ends after the time limit, when the feed is closed,
 * when the client disconnects or when the position is lost; rejects if the storage fails.
 */
export function subscribe<Item>(
  feed: EventFeed,
  subscription: Subscription,
  limits: Pick<Limits, 'heartbeatMs' | 'followMs'>,
  view: (step: FeedStep) => Item,
): AsyncIterableIterator<Item, void> {
  return new Subscriber(feed, subscription, limits, view)
}

/**
 * Not a generator: a process has thousands of these, and each would allocate what it keeps while it waits again for every event.
 * Its functions and timers are made once.
 */
class Subscriber<Item> implements AsyncIterableIterator<Item, void> {
  readonly #feed: EventFeed
  readonly #query: FeedQuery
  readonly #limits: Pick<Limits, 'heartbeatMs' | 'followMs'>
  readonly #cancellation: Cancellation
  readonly #view: (step: FeedStep) => Item
  #position: LogPosition
  #epoch = 0
  #leave: (() => void) | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined
  #isHeartbeatDue = false
  #isTimeOver = false
  #hasEnded = false
  #resolve: (step: IteratorResult<Item, void>) => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(
    feed: EventFeed,
    { filter, grouped, from, cancellation }: Subscription,
    limits: Pick<Limits, 'heartbeatMs' | 'followMs'>,
    view: (step: FeedStep) => Item,
  ) {
    this.#feed = feed
    this.#query = { filter, grouped, key: JSON.stringify([filter, grouped]) }
    this.#limits = limits
    this.#cancellation = cancellation
    this.#position = from
    this.#view = view
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Item, void>> {
    if (this.#leave === undefined) this.#join()
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#advance()
    })
  }

  async return(): Promise<IteratorResult<Item, void>> {
    this.#close()
    return ended
  }

  #join(): void {
    this.#leave = this.#feed.join()
    this.#epoch = this.#feed.epoch
    this.#heartbeat = setTimeout(() => {
      this.#isHeartbeatDue = true
      this.#feed.wake(this.#wake)
    }, this.#limits.heartbeatMs).unref()
    this.#end = setTimeout(() => {
      this.#isTimeOver = true
      this.#feed.wake(this.#wake)
    }, this.#limits.followMs).unref()
    this.#cancellation.onCancel = () => this.#feed.wake(this.#wake)
  }

  /** Delivers the next step if there is one, or waits for it. */
  #advance(): void {
    const feed = this.#feed
    if (this.#hasEnded || this.#cancellation.isCancelled || feed.epoch !== this.#epoch) this.#finish()
    else if (this.#isTimeOver || feed.closed) this.#finishAfterPosition()
    else if (this.#isHeartbeatDue) this.#beat()
    else if (feed.head > this.#position.id) feed.read(this.#query, this.#position).then(this.#covered, this.#fail)
    else feed.wait(this.#wake)
  }

  readonly #wake = (failure?: { readonly error: unknown }): void => {
    if (failure === undefined) this.#advance()
    else this.#fail(failure.error)
  }

  readonly #covered = (covered: Covered): void => {
    const isSameLog = this.#feed.epoch === this.#epoch
    if (isSameLog) this.#position = covered.position
    if (isSameLog && covered.page.count > 0) this.#deliver(covered)
    else this.#advance()
  }

  readonly #fail = (error: unknown): void => {
    this.#close()
    this.#reject(error)
  }

  /** On a standby, the log may be behind the position; once it is the primary, such a position is lost. */
  #beat(): void {
    const position = this.#position
    const deliver = (isLost: boolean) => (isLost ? this.#finish() : this.#deliver({ position }))
    if (position.id <= this.#feed.head) deliver(false)
    else this.#feed.isLost(position).then(deliver, this.#fail)
  }

  /** A client that reconnects continues after this position. */
  #finishAfterPosition(): void {
    this.#close()
    this.#deliver({ position: this.#position })
  }

  #deliver(step: FeedStep): void {
    this.#isHeartbeatDue = false
    if (!this.#hasEnded) this.#heartbeat?.refresh()
    this.#resolve({ done: false, value: this.#view(step) })
  }

  #finish(): void {
    this.#close()
    this.#resolve(ended)
  }

  #close(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#feed.stopWaiting(this.#wake)
    clearTimeout(this.#heartbeat)
    clearTimeout(this.#end)
    this.#leave?.()
  }
}

const ended = { done: true, value: undefined } as const
