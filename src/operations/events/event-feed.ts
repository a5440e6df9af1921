import { ChangeRequestError } from '../../errors'
import type { EventFilter, EventPage, Storage } from '../../ports/storage'

const pageSize = 500

/** However fast this process writes, others get their turn between two looks at the end of the log. */
const shortestPauseMs = 20

/** A page, and up to which id the log was looked at when it was read. */
export interface Covered {
  readonly page: EventPage
  readonly position: number
}

export interface FeedQuery {
  readonly filter: EventFilter
  readonly grouped: boolean
  /** The same for queries that read the same. */
  readonly key: string
}

/**
 * Watches the end of the log for all followers of this process: one poll, however many they are, and none without them.
 * A write of this process, or a hint of the storage, brings the next poll forward; nothing depends on it.
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
  #deafen: (() => void) | undefined

  constructor(storage: Storage, pollMs: number) {
    this.#storage = storage
    this.#pollMs = pollMs
  }

  /** The newest id that is known here; nothing that is not visible yet will ever appear below it. */
  get head(): number {
    return this.#head
  }

  get closed(): boolean {
    return this.#closed
  }

  /** The newest id of all. @throws UnavailableError when no follower is taken any more. */
  async present(): Promise<number> {
    const { lastId } = await this.#storage.eventHead({})
    if (this.#closed) throw new ChangeRequestError('UnavailableError', 'The server is about to stop.')
    this.#advance(lastId)
    return lastId
  }

  /** Counts a follower in; the answer counts it out. */
  join(): () => void {
    this.#followers += 1
    if (this.#followers === 1) {
      this.#deafen = this.#storage.onAppend?.(() => this.#hint())
      this.#schedule(0)
    }
    return () => {
      this.#followers -= 1
      if (this.#followers > 0) return
      clearTimeout(this.#timer)
      this.#deafen?.()
    }
  }

  /** What comes after the position. Followers that ask for the same at the same time get the same. */
  read(query: FeedQuery, after: number): Promise<Covered> {
    const key = `${after} ${query.key}`
    const shared = this.#reads.get(key)
    if (shared !== undefined) return shared
    // Known before the page is asked for, so that the page has all that fits up to here.
    const head = this.#head
    const reading = this.#storage
      .eventPage(query.filter, { after }, pageSize, query.grouped)
      .then((page) => ({ page, position: page.searched < pageSize ? Math.max(head, page.lastId) : page.lastId }))
      .finally(() => this.#reads.delete(key))
    this.#reads.set(key, reading)
    return reading
  }

  /** Settles when the log may go beyond the position, and at the latest after the time; rejects when a poll fails. */
  moved(position: number, mostMs: number, signal: AbortSignal): Promise<void> {
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

  /** Lets all followers end. Settles when nothing of theirs is being read. */
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
    // What was written during the poll, the poll may have missed.
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
