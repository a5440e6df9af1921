import { AsyncResource } from 'node:async_hooks'
import { ChangeRequestError } from '../../errors'
import type { EventFilter, EventPage } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import type { Cancellation } from './cancellation'
import { eachEvent, fingerprintOf, idOf } from './event-bytes'
import { isLost, isStandby, type LogPosition, positionText, readIds } from './position'

const pageSize = 500

/** The shortest pause between two polls, even if this process writes faster. */
const shortestPauseMs = 20

/** The number of followers that are woken in one turn of the event loop. Each of them writes to its socket, in about 25 µs. */
export const followersPerTurn = 128

/** A page, and how far the log was searched for it. */
export interface Covered {
  readonly page: EventPage
  readonly position: LogPosition
}

const nothing: EventPage = { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }

type Wake = (failure?: { readonly error: unknown }) => void

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
  /** The polls are in the trace of no follower. */
  readonly #outside = new AsyncResource('EventFeed')
  readonly #pollMs: number
  readonly #waiting = new Set<Wake>()
  readonly #reads = new Map<string, Promise<Covered>>()
  /** While followers are woken: the reads after this id are kept for those that are woken later. */
  #keptFrom: number | undefined
  readonly #kept = new Set<string>()
  readonly #live = new Set<Promise<Covered>>()
  #head: LogPosition = { id: 0, fingerprint: '' }
  #epoch = 0
  #replacedAt: LogPosition = this.#head
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
    return this.#head.id
  }

  get newest(): LogPosition {
    return this.#head
  }

  /** Changes after the log was replaced, as by a restore or by a failover that lost events: positions are then invalid. */
  get epoch(): number {
    return this.#epoch
  }

  /** The newest event when {@link epoch} changed: later ones were written to the log as it is now. */
  get replacedAt(): LogPosition {
    return this.#replacedAt
  }

  /** Streams, consumers and other followers of this process. */
  get followers(): number {
    return this.#followers
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Reads the position of the newest event. @throws UnavailableError after {@link close}. */
  async readNewest(): Promise<LogPosition> {
    await this.#readHead()
    if (this.#closed) throw new ChangeRequestError('UnavailableError', 'The server is shutting down.')
    return this.#head
  }

  /** Whether a position is not in the log any more; never true on a standby. */
  isLost(position: LogPosition): Promise<boolean> {
    return isLost(this.#storage, position)
  }

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

  /**
   * Reads the events after the position. Concurrent followers with the same query share one read. Without events if the log was
   * replaced; {@link epoch} has then changed.
   */
  read(query: FeedQuery, after: LogPosition): Promise<Covered> {
    const key = `${this.#epoch} ${positionText(after)} ${query.key}`
    const shared = this.#reads.get(key)
    if (shared !== undefined) return shared
    const reading = this.#readAfter(query, after)
    this.#reads.set(key, reading)
    this.#forgetWhenRead(key, reading, after.id)
    return reading
  }

  /** The events at both ends are read with the page, at the same time: they show that the log is still the same. */
  async #readAfter({ filter, grouped }: FeedQuery, after: LogPosition): Promise<Covered> {
    // Known before the page is read, so that the page has every match up to it.
    const head = this.#head
    const epoch = this.#epoch
    const [page, found] = await Promise.all([
      this.#storage.eventPage(filter, { after: after.id }, pageSize, grouped),
      readIds(this.#storage, [after.id, head.id]),
    ])
    const isSame = ({ id, fingerprint }: LogPosition) => fingerprint === '' || found.get(id) === fingerprint
    const isSameLog = (isSame(after) && isSame(head)) || (await this.#isSameLog(after, head, epoch))
    return isSameLog ? { page, position: await this.#reached(page, after, head) } : { page: nothing, position: after }
  }

  /** For an event that was not found: it was removed with all older ones, or it is not in the log any more, or not yet. */
  async #isSameLog(after: LogPosition, head: LogPosition, epoch: number): Promise<boolean> {
    const lost = (await this.isLost(after)) || (await this.isLost(head))
    const stored = await this.#storedHead()
    if (lost && this.#epoch === epoch) this.#restart(stored)
    if (lost || stored.id >= head.id) return !lost
    if (this.#head === head) this.#head = stored
    return false
  }

  async #reached(page: EventPage, after: LogPosition, head: LogPosition): Promise<LogPosition> {
    const last = eachEvent(page).at(-1)
    const found = last === undefined ? after : { id: idOf(last), fingerprint: fingerprintOf(last) }
    if (page.searched < pageSize) return head.id > found.id ? head : found
    if (page.lastId === found.id) return found
    // A search for a text examined events that do not match.
    const fingerprints = await readIds(this.#storage, [page.lastId])
    return { id: page.lastId, fingerprint: fingerprints.get(page.lastId) ?? '' }
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

  /** Calls `wake` once, when the log may have new events or a poll fails. */
  wait(wake: Wake): void {
    this.#waiting.add(wake)
  }

  wake(wake: Wake, failure?: { readonly error: unknown }): void {
    if (this.#waiting.delete(wake)) wake(failure)
  }

  stopWaiting(wake: Wake): void {
    this.#waiting.delete(wake)
  }

  /** Resolves when the log may have events after the position, or after the time; rejects when a poll fails. */
  waitForEvents(position: number, maxMs: number, cancellation: Cancellation): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.head > position || this.#closed || cancellation.isCancelled) return resolve()
      const wake: Wake = (failure) => {
        clearTimeout(timer)
        cancellation.onCancel = undefined
        if (failure === undefined) resolve()
        else reject(failure.error)
      }
      const timer = setTimeout(() => this.wake(wake), Math.max(0, maxMs)).unref()
      cancellation.onCancel = () => this.wake(wake)
      this.wait(wake)
    })
  }

  /** Ends all followers. Resolves when none of their reads is running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting) this.wake(wake)
    await Promise.allSettled(this.#reads.values())
  }

  async #readHead(): Promise<void> {
    const before = this.#head
    const head = await this.#storedHead()
    if (head.id > this.head) this.#advance(head)
    // Of two concurrent reads, the one that returns later may have seen less.
    else if (before === this.#head && isReplaced(before, head)) await this.#lower(before, head)
  }

  async #storedHead(): Promise<LogPosition> {
    const { lastId: id, fingerprint } = await this.#storage.eventHead({})
    return { id, fingerprint }
  }

  /** The log ends earlier: it was replaced, or it is that of a standby, which gets the rest later. */
  async #lower(before: LogPosition, head: LogPosition): Promise<void> {
    const isBehind = await isStandby(this.#storage)
    // The store may have been a standby until a moment ago.
    const again = isBehind ? head : await this.#storedHead()
    if (before !== this.#head || !isReplaced(before, again)) return
    if (isBehind) this.#head = again
    else this.#restart(again)
  }

  #advance(head: LogPosition): void {
    const { id } = this.#head
    this.#head = head
    if (this.#keptFrom === undefined) void this.#wakeInTurns(id)
  }

  /** Wakes all that wait. Other requests are served between two turns. */
  async #wakeInTurns(from: number): Promise<void> {
    this.#keptFrom = from
    let woken: LogPosition
    do {
      woken = this.#head
      const waiting = [...this.#waiting]
      for (let start = 0; start < waiting.length; start += followersPerTurn) {
        for (const wake of waiting.slice(start, start + followersPerTurn)) this.wake(wake)
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

  #restart(head: LogPosition): void {
    this.#epoch += 1
    this.#replacedAt = head
    this.#advance(head)
  }

  async #poll(): Promise<void> {
    this.#polling = true
    this.#hinted = false
    try {
      await this.#readHead()
    } catch (error) {
      for (const wake of [...this.#waiting]) this.wake(wake, { error })
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
    const poll = () => this.#outside.runInAsyncScope(() => void this.#poll())
    this.#timer = setTimeout(poll, delayMs).unref()
  }
}

/** Whether the log was replaced by another one since it had this head: ids only increase. */
function isReplaced(before: LogPosition, { id, fingerprint }: LogPosition): boolean {
  if (id !== before.id) return id < before.id
  const isGone = before.fingerprint === '' || fingerprint === ''
  return !isGone && fingerprint !== before.fingerprint
}

function nextIteration(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
