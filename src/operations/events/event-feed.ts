import { ChangeRequestError } from '../../errors'
import type { EventFilter, EventPage, Storage } from '../../ports/storage'

const pageSize = 500

/** The shortest pause between two polls, however fast this process writes. */
const shortestPauseMs = 20

/** A page, and the id up to which the log was searched for it. */
export interface Covered {
  readonly page: EventPage
  readonly position: number
}

export interface FeedQuery {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** Equal for queries with the same result. */
  readonly key: string
}

/**
 * Polls the end of the log for all followers of this process: one poll, however many they are, and none without them.
 * An announcement of the storage makes the next poll come sooner; correctness does not depend on it.
 */
export class EventFeed {
  readonly #storage: Storage
  readonly #pollMs: number
  readonly #waiting = new Set<(failure?: { readonly error: unknown }) => void>()
  readonly #reads = new Map<string, Promise<Covered>>()
  #head = 0
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

  /** The newest id that is known here. No event becomes visible below it later. */
  get head(): number {
    return this.#head
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Reads the newest id. @throws UnavailableError after {@link close}. */
  async present(): Promise<number> {
    const { lastId } = await this.#storage.eventHead({})
    if (this.#closed) throw new ChangeRequestError('UnavailableError', 'The server is about to stop.')
    this.#advance(lastId)
    return lastId
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

  /** Reads what comes after the position. Followers with the same query at the same time share one read. */
  read(query: FeedQuery, after: number): Promise<Covered> {
    const key = `${after} ${query.key}`
    const shared = this.#reads.get(key)
    if (shared !== undefined) return shared
    // Taken before the page is read, so that the page has every match up to it.
    const head = this.#head
    const reading = this.#storage
      .eventPage(query.filter, { after }, pageSize, query.grouped)
      .then((page) => ({ page, position: page.searched < pageSize ? Math.max(head, page.lastId) : page.lastId }))
      .finally(() => this.#reads.delete(key))
    this.#reads.set(key, reading)
    return reading
  }

  /** Resolves when the log may have events after the position, or after the time; rejects when a poll fails. */
  waitForEvents(position: number, mostMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#head > position || this.#closed || signal.aborted) return resolve()
      const wake = (failure?: { readonly error: unknown }) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        this.#waiting.delete(wake)
        if (failure === undefined) resolve()
        else reject(failure.error)
      }
      const stop = () => wake()
      const timer = setTimeout(stop, Math.max(0, mostMs)).unref()
      signal.addEventListener('abort', stop)
      this.#waiting.add(wake)
    })
  }

  /** Ends all followers. Resolves when no read of theirs is running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting) wake()
    await Promise.allSettled(this.#reads.values())
  }

  #advance(lastId: number): void {
    if (lastId <= this.#head) return
    this.#head = lastId
    for (const wake of this.#waiting) wake()
  }

  async #poll(): Promise<void> {
    this.#polling = true
    this.#hinted = false
    try {
      this.#advance((await this.#storage.eventHead({})).lastId)
    } catch (error) {
      for (const wake of this.#waiting) wake({ error })
    }
    this.#polling = false
    this.#polledAt = performance.now()
    // The poll may have missed what was written while it ran.
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
