import { ChangeRequestError } from '../../errors'
import type { EventFilter, EventHead, EventPage } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import type { Cancellation } from './cancellation'

const pageSize = 500

/** The shortest pause between two polls, even if this process writes faster. */
const shortestPauseMs = 20

/** The number of followers that are woken in one turn of the event loop. Each of them writes to its socket, in about 25 µs. */
export const followersPerTurn = 128

/** A page, and the id up to which the log was searched for it. */
export interface Covered {
  readonly page: EventPage
  readonly position: number
}

type KnownHead = Pick<EventHead, 'lastId' | 'fingerprint'>

export interface FeedQuery {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** Equal for queries with the same result. */
  readonly key: string
}

/**
 * Polls the end of the log for all followers of this process: one poll for all of them, and none without followers. A
 * notification of the storage only triggers the next poll earlier, so a lost notification does no harm.
 */
export class EventFeed {
  readonly #storage: Storage
  readonly #pollMs: number
  readonly #waiting = new Set<(failure?: { readonly error: unknown }) => void>()
  readonly #reads = new Map<string, Promise<Covered>>()
  /** While followers are woken: the reads after this id are kept for those that are woken later. */
  #keptFrom: number | undefined
  readonly #kept = new Set<string>()
  /** Reads that will be kept. */
  readonly #live = new Set<Promise<Covered>>()
  #head: KnownHead = { lastId: 0, fingerprint: '' }
  #epoch = 0
  #closed = false
  #followers = 0
  #timer: NodeJS.Timeout | undefined
  #polling = false
  #polledAt = 0
  #hinted = false
  #stopListening: (() => void) | undefined

  constructor(storage: Storage, pollMs: number) {
    this.#storage = storage
    this.#pollMs = pollMs
  }

  /** The newest known id. No event becomes visible below it later, as long as {@link epoch} stays the same. */
  get head(): number {
    return this.#head.lastId
  }

  /** Changes after the database was restored to an earlier state: positions from before are then invalid. */
  get epoch(): number {
    return this.#epoch
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Reads the newest id. @throws UnavailableError after {@link close}. */
  async readLastId(): Promise<number> {
    const head = await this.#readHead()
    if (this.#closed) throw new ChangeRequestError('UnavailableError', 'The server is shutting down.')
    return head.lastId
  }

  /** Adds a follower. Returns the function that removes it. */
  join(): () => void {
    this.#followers += 1
    if (this.#followers === 1) {
      this.#stopListening = this.#storage.onAppend?.(() => this.#hint())
      this.#schedule(0)
    }
    return () => {
      this.#followers -= 1
      if (this.#followers > 0) return
      clearTimeout(this.#timer)
      this.#stopListening?.()
    }
  }

  /** Reads the events after the position. Concurrent followers with the same query share one read. */
  read(query: FeedQuery, after: number): Promise<Covered> {
    const key = `${this.#epoch} ${after} ${query.key}`
    const shared = this.#reads.get(key)
    if (shared !== undefined) return shared
    // Read before the page, so that the page has every match up to it.
    const head = this.head
    const reading = this.#storage
      .eventPage(query.filter, { after }, pageSize, query.grouped)
      .then((page) => ({ page, position: page.searched < pageSize ? Math.max(head, page.lastId) : page.lastId }))
    this.#reads.set(key, reading)
    this.#forgetWhenRead(key, reading, after)
    return reading
  }

  #forgetWhenRead(key: string, reading: Promise<Covered>, after: number): void {
    const isLive = this.#keptFrom !== undefined && after >= this.#keptFrom
    if (isLive) this.#live.add(reading)
    const settle = (hasFailed: boolean) => {
      this.#live.delete(reading)
      if (isLive && !hasFailed && this.#keptFrom !== undefined) this.#kept.add(key)
      else this.#reads.delete(key)
    }
    reading.then(
      () => settle(false),
      () => settle(true),
    )
  }

  /** Resolves when the log may have events after the position, or after the time; rejects when a poll fails. */
  waitForEvents(position: number, maxMs: number, cancellation: Cancellation): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.head > position || this.#closed || cancellation.isCancelled) return resolve()
      const wake = (failure?: { readonly error: unknown }) => {
        clearTimeout(timer)
        cancellation.onCancel = undefined
        this.#waiting.delete(wake)
        if (failure === undefined) resolve()
        else reject(failure.error)
      }
      const timer = setTimeout(wake, Math.max(0, maxMs)).unref()
      cancellation.onCancel = wake
      this.#waiting.add(wake)
    })
  }

  /** Ends all followers. Resolves when none of their reads is running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting) wake()
    await Promise.allSettled(this.#reads.values())
  }

  async #readHead(): Promise<EventHead> {
    const before = this.#head
    const head = await this.#storage.eventHead({})
    if (head.lastId > this.head) this.#advance(head)
    // Of two concurrent reads, the one that returns later may have seen less.
    else if (before === this.#head && isReplaced(before, head)) this.#restart(head)
    return head
  }

  #advance(head: EventHead): void {
    const { lastId } = this.#head
    this.#head = head
    if (this.#keptFrom === undefined) void this.#wakeInTurns(lastId)
  }

  /** Wakes all that wait. Other requests are served between two turns. */
  async #wakeInTurns(from: number): Promise<void> {
    this.#keptFrom = from
    let woken: KnownHead
    do {
      woken = this.#head
      const waiting = [...this.#waiting]
      for (let start = 0; start < waiting.length; start += followersPerTurn) {
        for (const wake of waiting.slice(start, start + followersPerTurn)) wake()
        await this.#turnIsOver()
      }
      for (const key of this.#kept) this.#reads.delete(key)
      this.#kept.clear()
      // Those that were woken early wait again for events that were written meanwhile.
    } while (woken !== this.#head)
    this.#keptFrom = undefined
  }

  /** Followers write as soon as their page has been read. Without this, all of them would wait for it and write at the same time. */
  async #turnIsOver(): Promise<void> {
    await nextIteration()
    if (this.#live.size === 0) return
    await Promise.allSettled(this.#live)
    await nextIteration()
  }

  #restart(head: EventHead): void {
    this.#epoch += 1
    this.#advance(head)
  }

  async #poll(): Promise<void> {
    this.#polling = true
    this.#hinted = false
    try {
      await this.#readHead()
    } catch (error) {
      for (const wake of this.#waiting) wake({ error })
    }
    this.#polling = false
    this.#polledAt = performance.now()
    // The poll may have missed events that were written while it ran.
    this.#schedule(this.#hinted ? shortestPauseMs : this.#pollMs)
  }

  #hint(): void {
    if (this.#hinted) return
    this.#hinted = true
    this.#schedule(Math.max(0, this.#polledAt + shortestPauseMs - performance.now()))
  }

  #schedule(delayMs: number): void {
    if (this.#followers === 0 || this.#polling) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#poll(), delayMs).unref()
  }
}

/** Whether the log was replaced by another one since it had this head: ids only increase. */
function isReplaced(before: KnownHead, { lastId, fingerprint }: KnownHead): boolean {
  if (lastId !== before.lastId) return lastId < before.lastId
  const isGone = before.fingerprint === '' || fingerprint === ''
  return !isGone && fingerprint !== before.fingerprint
}

function nextIteration(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
