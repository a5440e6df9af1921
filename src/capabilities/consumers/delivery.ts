import { ChangeRequestError } from '../../errors'
import { Cancellation } from '../../kernel/log/cancellation'
import { checkPosition, type Verdict } from '../../kernel/log/position'
import type { Services } from '../../kernel/services'
import { pause, pauseAfter } from '../../pause'
import type { ConsumerContext } from '../../ports/consumers'
import type { ConsumerPosition, ConsumerStatus, ConsumerStorage, StoredConsumer } from '../../ports/storage/consumers'
import { Attempt, failed, longestPauseMs, type Outcome, progressed, stopped } from './attempt'
import { type Batch, Batches, positionIn } from './batches'
import type { ResolvedConsumer } from './check-consumer'

/** The interval at which a position is stored within a batch, and while no event matches the filter. */
const storeIntervalMs = 1_000
const waitMs = 60_000
const firstPauseMs = 200
const maxPauseMs = 5_000

/** Ends a delivery from within. */
class Ended extends Error {}

export class Delivery {
  readonly #services: Services
  readonly #consumers: ConsumerStorage
  readonly #consumer: ResolvedConsumer
  readonly #logId: string
  readonly #describe: ConsumerContext['describe']
  readonly #batches: Batches
  readonly #stopping = new AbortController()
  readonly #cancellation = new Cancellation()
  #row: StoredConsumer
  /** How far the log was searched: the stored position, or beyond it where no event matched. */
  #searched: ConsumerPosition
  #storedAt = performance.now()
  #attempt: Attempt | undefined
  #writes: Promise<unknown> = Promise.resolve()
  #isLost = false
  /** When the log was compared with the position while there was nothing to read. */
  #checkedAt = { epoch: -1, head: 0 }
  #failures = 0
  /** Resolves when nothing is delivered any more. */
  readonly done: Promise<void>

  constructor(
    services: Services,
    consumer: ResolvedConsumer,
    row: StoredConsumer,
    { logId, describe }: { readonly logId: string; readonly describe: ConsumerContext['describe'] },
  ) {
    this.#services = services
    this.#describe = describe
    this.#consumers = services.storage.consumers as ConsumerStorage
    this.#consumer = consumer
    this.#row = row
    this.#searched = row
    this.#logId = logId
    this.#batches = new Batches(services, consumer)
    this.#stopping.signal.addEventListener('abort', () => this.#cancellation.cancel())
    this.done = this.#run()
  }

  get epoch(): number {
    return this.#row.epoch
  }

  lose(): void {
    this.#isLost = true
    this.#stopping.abort()
    this.#attempt?.lose()
  }

  /** Ends after the current attempt, and stores what was handled. */
  async close(): Promise<void> {
    this.#stopping.abort()
    this.#attempt?.abort()
    await this.done
  }

  async #run(): Promise<void> {
    const leave = this.#services.feed.join()
    try {
      for (;;) {
        await this.#waitForNextAttempt()
        await this.#deliver(await this.#nextBatch())
      }
    } catch (err) {
      if (!(err instanceof Ended)) this.#log('error', { err }, 'A consumer ended because of an internal error.')
    } finally {
      leave()
    }
  }

  async #waitForNextAttempt(): Promise<void> {
    const { nextAttemptAt } = this.#row.status
    const leftMs = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - this.#services.clock().getTime()
    if (leftMs > 0) await pause(Math.min(leftMs, longestPauseMs), this.#stopping.signal)
    await this.#endIfStopping()
  }

  /** The next events that match. Waits until there are some. */
  async #nextBatch(): Promise<Batch> {
    const { feed } = this.#services
    for (;;) {
      await this.#endIfStopping()
      await this.#storeSearched()
      const { head, epoch } = feed
      if (head > this.#searched.position) {
        const batch = await this.#retrying(() => this.#batches.read(this.#searched, feed.head))
        await this.#heed(batch.verdict)
        if (batch.events.length > 0) return batch
        this.#searched = batch.next
      } else if (epoch !== this.#checkedAt.epoch || (head < this.#searched.position && head !== this.#checkedAt.head)) {
        const searched = this.#searched
        const { storage } = this.#services
        const checked = await this.#retrying(() => checkPosition(storage, searched, searched.position))
        await this.#heed(checked.verdict)
        this.#checkedAt = { epoch, head }
      } else {
        const isStored = this.#searched.position === this.#row.position
        const maxMs = isStored ? waitMs : this.#storedAt + storeIntervalMs - performance.now()
        await this.#retrying(() => feed.waitForEvents(this.#searched.position, maxMs, this.#cancellation))
      }
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    const { events, next } = batch
    const { logger, options, clock } = this.#services
    const { status } = this.#row
    const onProgress = (id: number) => this.#progress(positionIn(batch, id))
    const { consumerTimeoutMs } = options.limits
    const attempt = new Attempt(this.#consumer, events, consumerTimeoutMs, onProgress, this.#services.telemetry)
    this.#attempt = attempt
    this.#batches.readAhead(batch)
    const run = () =>
      attempt.run({
        attempt: status.failures + 1,
        failingSince: status.failingSince,
        log: { id: this.#logId, basePath: options.basePath },
        describe: this.#describe,
      })
    const outcome = await this.#inSpan(events, run)
    this.#attempt = undefined
    await this.#writes
    if (outcome === 'lost') throw new Ended()
    if (outcome === 'handled') return void (await this.#store(next, progressed(this.#row.status, clock())))
    const reached = attempt.doneTo === undefined ? this.#searched : positionIn(batch, attempt.doneTo)
    // The handler was interrupted, which is no failure.
    if (this.#stopping.signal.aborted) return void (await this.#store(reached, this.#row.status))
    const before = this.#row.status
    const after = failed(before, outcome.error, clock())
    if (!(await this.#store(reached, after))) return
    const { error: err } = outcome
    if (after.reason !== null) {
      const facts = { consumer: this.#consumer.name, reason: after.reason, err }
      logger.error(facts, 'A consumer was stopped by its handler.')
      throw new Ended()
    }
    if (before.failures === 0)
      this.#log('warn', { err, nextAttemptAt: after.nextAttemptAt }, 'A consumer fails. Retrying.')
  }

  /** A batch has a span of its own, with links to the steps that wrote its events. */
  async #inSpan(events: Batch['events'], run: () => Promise<Outcome>): Promise<Outcome> {
    const { storage, telemetry } = this.#services
    if (!telemetry.isOn) return run()
    const traces = await storage.eventTraces(events.map(({ id }) => id)).catch(() => new Map<number, string>())
    return telemetry.span('consumer.batch', run, {
      isRoot: true,
      links: [...new Set(traces.values())],
      attributes: () => ({ consumer: this.#consumer.name }),
      failureOf: (outcome) => (typeof outcome === 'object' ? outcome : undefined),
    })
  }

  /** Stores progress within a batch, at most once a second. */
  #progress(reached: ConsumerPosition): Promise<void> {
    const isDue = performance.now() - this.#storedAt >= storeIntervalMs
    if (!isDue && this.#row.status.failures === 0) return Promise.resolve()
    const writing = this.#writes.then(async () => {
      if (reached.position > this.#row.position) {
        await this.#store(reached, progressed(this.#row.status, this.#services.clock()))
      }
    })
    this.#writes = writing.catch(() => undefined)
    return writing.catch((error: unknown) => {
      if (!(error instanceof Ended)) throw error
      throw new ChangeRequestError('ConflictError', `This process no longer owns the consumer ${this.#consumer.name}.`)
    })
  }

  /** Stops the consumer if the log is not the one that its position was stored for. */
  async #heed(verdict: Verdict): Promise<void> {
    if (verdict === 'lost') {
      const { position } = this.#searched
      const isStored = await this.#store(this.#row, stopped(this.#row.status, 'position-lost'))
      // Otherwise the database was restored with its consumers, and the next delivery continues from the row.
      if (!isStored) throw new Ended()
      const text =
        'A consumer was stopped: the event log does not have the event at its position, as after a restore of the ' +
        'database. Decide where it continues, with router.events.seek().'
      this.#log('error', { position, reason: 'position-lost' }, text)
      throw new Ended()
    }
    const { skipped } = verdict
    if (skipped === null || this.#row.status.skipped?.to === skipped.to) return
    this.#log('warn', { skipped }, 'Events were removed from the log before a consumer read them.')
    this.#row = { ...this.#row, status: { ...this.#row.status, skipped } }
  }

  async #storeSearched(): Promise<void> {
    if (this.#searched.position === this.#row.position) return
    if (performance.now() - this.#storedAt < storeIntervalMs) return
    await this.#store(this.#searched, this.#row.status)
  }

  /**
   * Compares and sets. Ends the delivery if this process no longer owns the row. Returns false if the row is behind: the
   * delivery continues from there.
   */
  async #store(to: ConsumerPosition, status: ConsumerStatus): Promise<boolean> {
    const { position, event } = to
    const before = this.#row
    const write = { before, position, event, epoch: before.epoch, status }
    const isStored = await this.#retrying(() => this.#consumers.write(write))
    this.#row = isStored ? { ...before, position, event, status } : await this.#readAgain(before, position)
    this.#searched = isStored ? to : this.#row
    this.#storedAt = performance.now()
    if (before.status.failures > 0 && this.#row.status.failures === 0) this.#log('info', {}, 'A consumer recovered.')
    return this.#row.position === position
  }

  /** The row after a rejected write. It has the new position if an earlier try of the write succeeded without a response. */
  async #readAgain(before: StoredConsumer, position: number): Promise<StoredConsumer> {
    const rows = await this.#retrying(() => this.#consumers.list())
    const row = rows.find(({ name }) => name === before.name)
    if (row === undefined || row.epoch !== before.epoch || row.owner !== before.owner) {
      this.lose()
      throw new Ended()
    }
    if (row.position !== position) {
      const text =
        'The stored position of a consumer is behind what it has handled, as after a failover. Events may come again.'
      this.#log('error', { stored: row.position, handled: position }, text)
    }
    return row
  }

  /** Repeats a call of the storage until it succeeds, or until this delivery ends. */
  async #retrying<Value>(call: () => Promise<Value>): Promise<Value> {
    for (;;) {
      if (this.#isLost) throw new Ended()
      try {
        const value = await call()
        this.#failures = 0
        return value
      } catch (err) {
        this.#failures += 1
        const isKnown = this.#failures > 1 || this.#services.outage.covers(err)
        if (!isKnown) this.#log('warn', { err }, 'The storage failed for a consumer. Retrying.')
        if (this.#stopping.signal.aborted) throw new Ended()
        await pause(pauseAfter(this.#failures, firstPauseMs, maxPauseMs), this.#stopping.signal)
      }
    }
  }

  async #endIfStopping(): Promise<void> {
    if (!this.#stopping.signal.aborted) return
    if (!this.#isLost && this.#searched.position !== this.#row.position) {
      await this.#store(this.#searched, this.#row.status)
    }
    throw new Ended()
  }

  #log(level: 'info' | 'warn' | 'error', facts: object, message: string): void {
    if (!this.#isLost) this.#services.logger[level]({ consumer: this.#consumer.name, ...facts }, message)
  }
}
