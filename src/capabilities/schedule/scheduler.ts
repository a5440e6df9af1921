import { PollLoop } from '../../kernel/host/poll-loop'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { pauseAfter } from '../../pause'
import { type RunCounts, Runner } from './runner'
import { LogWatch } from './watch-log'

/** A change request that is due for longer is logged as an error. */
const overdueMs = 60_000
const firstPauseMs = 1_000
const maxPauseMs = 30_000

export class Scheduler {
  readonly #services: Services
  readonly #pollMs: number
  readonly #runner: Runner
  readonly #watch: LogWatch
  readonly #loop: PollLoop
  #reportedOverdue = false
  /** When this process last polled; null before the first time. */
  lastRunAt: string | null = null

  constructor(services: Services, pollMs: number) {
    this.#services = services
    this.#pollMs = pollMs
    this.#runner = new Runner(services)
    this.#watch = new LogWatch(services)
    this.#loop = new PollLoop(
      () => this.#poll(),
      (err, failures) => {
        const isKnown = services.outage.covers(err) || failures > 1
        if (!isKnown) services.logger.warn({ err }, 'Scheduled change requests could not be read. Retrying.')
        return pauseAfter(failures, firstPauseMs, maxPauseMs)
      },
    )
  }

  get state(): 'idle' | 'started' | 'closed' {
    return this.#loop.state
  }

  start(): void {
    this.#runner.onFree = () => this.wake()
    this.#loop.start()
  }

  wake(): void {
    this.#loop.wake()
  }

  async runDue(): Promise<RunCounts & { readonly left: number }> {
    const counts = await this.#runner.runAll()
    this.lastRunAt = now(this.#services)
    const { due } = await this.#services.storage.dueTimes(this.lastRunAt)
    return { ...counts, left: due }
  }

  async close(): Promise<void> {
    await Promise.all([this.#loop.close(), this.#runner.close()])
    await this.#watch.stop()
  }

  /** Returns the time until the next poll. One small query while nothing is scheduled. */
  async #poll(): Promise<number> {
    const { storage, clock } = this.#services
    const [first] = await storage.due({ limit: 1 })
    this.lastRunAt = now(this.#services)
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
}
