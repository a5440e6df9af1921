import { ChangeRequestError } from '../../errors'
import type { EventFilter, EventHead, EventPage } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

const pageSize = 500

/** The shortest pause between two polls, even if this process writes faster. */
const shortestPauseMs = 20

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
      .finally(() => this.#reads.delete(key))
    this.#reads.set(key, reading)
    return reading
  }

  /** Resolves when the log may have events after the position, or after the time; rejects when a poll fails. */
  waitForEvents(position: number, maxMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.head > position || this.#closed || signal.aborted) return resolve()
      const wake = (failure?: { readonly error: unknown }) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        this.#waiting.delete(wake)
        if (failure === undefined) resolve()
        else reject(failure.error)
      }
      const stop = () => wake()
      const timer = setTimeout(stop, Math.max(0, maxMs)).unref()
      signal.addEventListener('abort', stop)
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
    this.#head = head
    for (const wake of this.#waiting) wake()
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
