import { randomUUID } from 'node:crypto'
import { ChangeRequestError } from '../../errors'
import { PollLoop } from '../../kernel/host/poll-loop'
import { startPosition } from '../../kernel/log/position'
import { consumersOf } from '../../kernel/log/seek-consumer'
import type { Services } from '../../kernel/services'
import type { Consumer, ConsumerContext } from '../../ports/consumers'
import type { ConsumerStorage, StoredConsumer } from '../../ports/storage/consumers'
import { type ResolvedConsumer, resolveConsumer } from './check-consumer'
import { Delivery } from './delivery'

/** The longest interval at which the rows are read, to notice consumers that are free or were moved. */
const maxPollMs = 1_000

/** After this time without `start()`, a warning is logged. */
const startWithinMs = 10_000

/** The consumers of this process: leases those that are free, renews the leases, and delivers events to them. */
export class Consumers {
  readonly #services: Services
  readonly #describe: ConsumerContext['describe']
  readonly #owner = randomUUID()
  readonly #registered = new Map<string, ResolvedConsumer>()
  readonly #running = new Map<string, Delivery>()
  readonly #loop: PollLoop
  #logId: string | undefined
  #startTimer: NodeJS.Timeout | undefined
  /** On the monotonic clock of this process. */
  #renewAt = 0
  #expiry: NodeJS.Timeout | undefined
  /** The names whose rows were read since the start. */
  readonly #seen = new Set<string>()
  /** The names whose start is above the newest event. */
  readonly #withoutStart = new Set<string>()

  constructor(services: Services, describe: ConsumerContext['describe']) {
    this.#services = services
    this.#describe = describe
    this.#loop = new PollLoop(
      () => this.#poll(),
      (err, failures) => {
        const isKnown = services.outage.covers(err) || failures > 1
        if (!isKnown) services.logger.warn({ err }, 'Consumers could not be leased. Retrying.')
        return Math.min(maxPollMs, this.#leaseMs / 3)
      },
    )
  }

  /** @throws TypeError for an invalid consumer, a second one with the same name, and after {@link close} */
  consume(consumer: Consumer): void {
    consumersOf(this.#services.storage)
    const resolved = resolveConsumer(consumer)
    if (this.#isClosed) throw new TypeError('events.consume: the router is closed.')
    if (this.#registered.has(resolved.name)) {
      throw new TypeError(`events.consume: there is already a consumer "${resolved.name}" in this router.`)
    }
    this.#registered.set(resolved.name, resolved)
    if (this.#loop.state === 'idle') this.#startTimer ??= setTimeout(() => this.#warnOfNoStart(), startWithinMs).unref()
    this.#loop.wake()
  }

  /** The consumers of this process, whether they were started or not; none after {@link close}. */
  get registered(): readonly ResolvedConsumer[] {
    return this.#isClosed ? [] : [...this.#registered.values()]
  }

  #warnOfNoStart(): void {
    const names = [...this.#registered.keys()]
    const text = `Consumers receive no events, because router.start() has not been called: ${names.join(', ')}.`
    this.#services.logger.warn({ consumers: names }, `${text} Call it in each process, after router.migrate().`)
  }

  start(): void {
    clearTimeout(this.#startTimer)
    this.#loop.start()
  }

  wake(): void {
    this.#loop.wake()
  }

  /** Aborts the handlers, waits for them until the time is over, stores their progress and ends the leases. */
  async close(waitMs: number): Promise<void> {
    if (this.#isClosed) return
    clearTimeout(this.#startTimer)
    await this.#loop.close()
    const running = [...this.#running]
    const finished = Promise.all(running.map(([, delivery]) => delivery.close()))
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, waitMs).unref())])
    clearTimeout(this.#expiry)
    for (const [, delivery] of running) delivery.lose()
    await this.#release(running.map(([name]) => name))
    await Promise.all([...this.#registered.values()].map((consumer) => this.#closeConsumer(consumer)))
  }

  async #closeConsumer({ name, close }: ResolvedConsumer): Promise<void> {
    try {
      await close?.()
    } catch (err) {
      this.#services.logger.warn({ err, consumer: name }, 'A consumer could not be closed.')
    }
  }

  /** Returns the time until the next poll; none while there is no consumer. */
  async #poll(): Promise<number | undefined> {
    if (this.#registered.size === 0) return undefined
    // Every lease would be rejected.
    if (this.#services.outage.isStandby) return maxPollMs
    const consumers = consumersOf(this.#services.storage)
    this.#logId ??= await consumers.logId()
    let rows = await consumers.list()
    if (await this.#createMissing(consumers, rows)) rows = await consumers.list()
    const own = rows.filter(({ name }) => this.#registered.has(name))
    for (const { name, owner, epoch } of own) {
      const delivery = this.#running.get(name)
      if (delivery !== undefined && (owner !== this.#owner || epoch !== delivery.epoch)) this.#lose(name, delivery)
    }
    this.#reportStops(own)
    await this.#lease(consumers, own)
    const othersEnd = own.map(({ leaseLeftMs }) => leaseLeftMs).filter((leftMs) => leftMs > 0)
    return Math.min(maxPollMs, this.#leaseMs / 3, ...othersEnd)
  }

  get #leaseMs(): number {
    return this.#services.options.limits.consumerLeaseMs
  }

  async #createMissing(consumers: ConsumerStorage, rows: readonly StoredConsumer[]): Promise<boolean> {
    const stored = new Set(rows.map(({ name }) => name))
    const missing = [...this.#registered.values()].filter(({ name }) => !stored.has(name))
    for (const { name, from } of missing) {
      const start = await startPosition(this.#services.storage, from).catch((error: unknown) => {
        if (!ChangeRequestError.is(error)) throw error
        if (!this.#withoutStart.has(name)) {
          this.#services.logger.error({ consumer: name, from }, `A consumer cannot start. ${error.message}`)
        }
        this.#withoutStart.add(name)
      })
      if (start !== undefined) await consumers.create(name, start)
    }
    return missing.length > 0
  }

  /** Leases what is free. Renews all leases in the same statement when they are a third over. */
  async #lease(consumers: ConsumerStorage, rows: readonly StoredConsumer[]): Promise<void> {
    const free = rows.filter((row) => row.status.reason === null && !this.#running.has(row.name) && this.#isFree(row))
    const isRenewal = this.#running.size > 0 && performance.now() >= this.#renewAt
    if (free.length === 0 && !isRenewal) return
    const names = [...this.#running.keys(), ...free.map(({ name }) => name)]
    const at = performance.now()
    const leased = new Map((await consumers.lease(this.#owner, names, this.#leaseMs)).map((row) => [row.name, row]))
    for (const [name, delivery] of this.#running) {
      if (leased.get(name)?.epoch !== delivery.epoch) this.#lose(name, delivery)
    }
    this.#renewAt = at + this.#leaseMs / 3
    this.#loseAllAt(at + this.#leaseMs * 0.9)
    for (const row of leased.values()) if (!this.#running.has(row.name)) this.#run(row)
  }

  #isFree({ owner, leaseLeftMs }: StoredConsumer): boolean {
    return owner === this.#owner || leaseLeftMs <= 0 || leaseLeftMs > this.#leaseMs
  }

  #run(row: StoredConsumer): void {
    const { name } = row
    const consumer = this.#registered.get(name) as ResolvedConsumer
    const delivery = new Delivery(this.#services, consumer, row, {
      logId: this.#logId as string,
      describe: this.#describe,
    })
    this.#running.set(name, delivery)
    void delivery.done.then(async () => {
      if (this.#running.get(name) !== delivery || this.#isClosed) return
      this.#running.delete(name)
      await this.#release([name])
    })
  }

  #lose(name: string, delivery: Delivery): void {
    this.#running.delete(name)
    delivery.lose()
  }

  /** Without a renewal, another process may lease the consumers from then on. */
  #loseAllAt(time: number): void {
    clearTimeout(this.#expiry)
    this.#expiry = setTimeout(() => {
      for (const [name, delivery] of this.#running) this.#lose(name, delivery)
    }, time - performance.now()).unref()
  }

  async #release(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    try {
      await consumersOf(this.#services.storage).release(this.#owner, names)
    } catch (err) {
      if (this.#services.outage.covers(err)) return
      const text = 'The lease of a consumer could not be ended. Other processes wait until it ends.'
      this.#services.logger.warn({ err }, text)
    }
  }

  /** Logs those that are stopped already; those that stop later are logged by the process that stops them. */
  #reportStops(rows: readonly StoredConsumer[]): void {
    for (const { name, status } of rows) {
      if (this.#seen.has(name)) continue
      this.#seen.add(name)
      if (status.reason !== null) {
        const facts = { consumer: name, reason: status.reason }
        this.#services.logger.error(facts, 'A consumer is stopped. Find the cause, then use router.events.seek().')
      }
    }
  }

  get #isClosed(): boolean {
    return this.#loop.state === 'closed'
  }
}
