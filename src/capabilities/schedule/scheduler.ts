import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { Pauses } from './pauses'
import { type RunCounts, Runner } from './runner'
import { LogWatch } from './watch-log'

/** A change request that is due for longer is logged as an error. */
const overdueMs = 60_000

/** Polls for change requests that are due, and applies them. */
export class Scheduler {
  readonly #services: Services
  readonly #pollMs: number
  readonly #runner: Runner
  readonly #watch: LogWatch
  readonly #pauses = new Pauses<'poll'>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #again = false
  #state: 'idle' | 'started' | 'closed' = 'idle'
  #reportedOverdue = false
  #hasFailed = false
  /** When this process last polled; null before the first time. */
  lastRunAt: string | null = null

  constructor(services: Services, pollMs: number) {
    this.#services = services
    this.#pollMs = pollMs
    this.#runner = new Runner(services)
    this.#watch = new LogWatch(services)
  }

  get state(): 'idle' | 'started' | 'closed' {
    return this.#state
  }

  /** Begins to poll; calling it again does nothing. */
  start(): void {
    if (this.#state !== 'idle') return
    this.#state = 'started'
    this.#runner.onFree = () => this.wake()
    this.#begin()
  }

  /** Polls immediately, if it was started. */
  wake(): void {
    if (this.#state !== 'started') return
    if (this.#round !== undefined) this.#again = true
    else this.#begin()
  }

  /** Applies everything that is due now, whether it was started or not. */
  async runDue(): Promise<RunCounts & { readonly left: number }> {
    const counts = await this.#runner.runAll()
    this.lastRunAt = now(this.#services)
    const { due } = await this.#services.storage.dueTimes(this.lastRunAt)
    return { ...counts, left: due }
  }

  /** Stops polling, and waits for running applies. */
  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    await Promise.all([this.#round, this.#runner.close()])
    await this.#watch.stop()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#again = false
    this.#round = this.#poll()
      .catch((err: unknown) => this.#afterFailure(err))
      .then((waitMs) => {
        this.#round = undefined
        if (this.#state === 'closed') return
        this.#timer = setTimeout(() => this.#begin(), this.#again ? 0 : waitMs).unref()
      })
  }

  /** Returns the time until the next poll. One small query while nothing is scheduled. */
  async #poll(): Promise<number> {
    const { storage, clock } = this.#services
    const [first] = await storage.due({ limit: 1 })
    this.lastRunAt = now(this.#services)
    this.#pauses.end('poll')
    this.#hasFailed = false
    const time = first?.dueAt
    if (time === undefined) {
      void this.#watch.stop()
      this.#reportedOverdue = false
      return this.#pollMs
    }
    const inMs = Date.parse(time) - clock().getTime()
    // What a freeze holds is not overdue.
    if (first?.held === undefined) this.#reportOverdue(-inMs, time)
    // Runs in parallel to the polls, so that a slow gateway does not delay them.
    this.#watch.start()
    if (inMs > 0) return Math.min(inMs, this.#pollMs)
    await this.#runner.fill()
    return this.#untilNext()
  }

  /** The time until the next change request is due, at most the interval of the polls. */
  async #untilNext(): Promise<number> {
    const { storage, clock } = this.#services
    const at = now(this.#services)
    const dueBefore = { dueAt: at, scheduledAt: at, id: Number.MAX_SAFE_INTEGER }
    const [next] = await storage.due({ after: dueBefore, limit: 1 })
    const time = next?.dueAt
    return time === undefined ? this.#pollMs : Math.max(0, Math.min(this.#pollMs, Date.parse(time) - clock().getTime()))
  }

  #reportOverdue(lateMs: number, overdueSince: string): void {
    const overdue = lateMs > overdueMs
    if (overdue && !this.#reportedOverdue) {
      this.#services.logger.error({ overdueSince }, 'A scheduled change request has been due for more than a minute.')
    }
    this.#reportedOverdue = overdue
  }

  #afterFailure(err: unknown): number {
    const { logger, outage } = this.#services
    const isKnown = this.#state === 'closed' || outage.covers(err) || this.#hasFailed
    if (!isKnown) logger.warn({ err }, 'Scheduled change requests could not be read. Retrying.')
    this.#hasFailed = true
    return this.#pauses.extend('poll')
  }
}
