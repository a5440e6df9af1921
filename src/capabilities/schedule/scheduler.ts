import { dueAt } from '../../domain/decisions/schedule'
import { now, type Services } from '../../kernel/services'
import { Pauses } from './pauses'
import { type RunCounts, Runner } from './runner'
import { LogWatch } from './watch-log'

/** What is due for longer is an error. */
const overdueMs = 60_000

/** Looks every second for what is due, and carries it out. */
export class Scheduler {
  readonly #services: Services
  readonly #pollMs: number
  readonly #runner: Runner
  readonly #watch: LogWatch
  readonly #pauses = new Pauses<'poll' | 'watch'>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #again = false
  #closed = false
  #reportedOverdue = false
  /** When this process last looked for what is due; null before the first time. */
  lastRunAt: string | null = null

  constructor(services: Services, pollMs: number) {
    this.#services = services
    this.#pollMs = pollMs
    this.#runner = new Runner(services)
    this.#watch = new LogWatch(services)
  }

  /** Begins to look; calling it again does nothing. */
  start(): void {
    if (this.#closed || this.#timer !== undefined || this.#round !== undefined) return
    this.#runner.onFree = () => this.wake()
    this.#begin()
  }

  /** Looks at once, if it has been started. */
  wake(): void {
    if (this.#closed) return
    if (this.#round !== undefined) this.#again = true
    else if (this.#timer !== undefined) this.#begin()
  }

  /** Carries out what is due now, whether it has been started or not. */
  async runDue(): Promise<RunCounts & { readonly left: number }> {
    const counts = await this.#runner.runAll()
    this.lastRunAt = now(this.#services)
    const { due } = await this.#services.storage.dueTimes(this.lastRunAt)
    return { ...counts, left: due }
  }

  /** Ends the looking, and waits for what is being carried out. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await Promise.all([this.#round, this.#looking, this.#runner.close()])
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#again = false
    this.#round = this.#look()
      .catch((err: unknown) => this.#afterFailure(err))
      .then((waitMs) => {
        this.#round = undefined
        if (this.#closed) return
        this.#timer = setTimeout(() => this.#begin(), this.#again ? 0 : waitMs).unref()
      })
  }

  /** Returns for how long nothing is to be done. One small query, as long as nothing is scheduled. */
  async #look(): Promise<number> {
    const { storage, clock } = this.#services
    const [first] = await storage.due({ limit: 1 })
    this.lastRunAt = now(this.#services)
    this.#pauses.end('poll')
    const time = first && dueAt(first)
    if (time == null) {
      this.#watch.rest()
      this.#reportedOverdue = false
      return this.#pollMs
    }
    const inMs = Date.parse(time) - clock().getTime()
    this.#reportOverdue(-inMs, time)
    this.#watchLog()
    if (inMs > 0) return Math.min(inMs, this.#pollMs)
    await this.#runner.fill()
    return this.#untilNext()
  }

  /** For how long nothing more becomes due, as far as that is within a poll. */
  async #untilNext(): Promise<number> {
    const { storage, clock } = this.#services
    const dueBefore = { dueAt: now(this.#services), id: Number.MAX_SAFE_INTEGER }
    const [next] = await storage.due({ after: dueBefore, limit: 1 })
    const time = next && dueAt(next)
    return time == null ? this.#pollMs : Math.max(0, Math.min(this.#pollMs, Date.parse(time) - clock().getTime()))
  }

  /** Beside the rounds, which a slow gateway must not hold up. */
  #watchLog(): void {
    if (this.#looking !== undefined || this.#pauses.isPaused('watch')) return
    this.#looking = this.#watch
      .look()
      .then(() => this.#pauses.end('watch'))
      .catch((err: unknown) => {
        this.#pauses.extend('watch')
        this.#services.logger.warn(
          { err },
          'What is scheduled could not be compared with the flags. It is tried again.',
        )
      })
      .finally(() => {
        this.#looking = undefined
      })
  }

  #reportOverdue(lateMs: number, overdueSince: string): void {
    const overdue = lateMs > overdueMs
    if (overdue && !this.#reportedOverdue) {
      this.#services.logger.error({ overdueSince }, 'What is scheduled has been due for more than a minute.')
    }
    this.#reportedOverdue = overdue
  }

  #afterFailure(err: unknown): number {
    const pauseMs = this.#pauses.extend('poll')
    if (!this.#closed)
      this.#services.logger.warn({ err, pauseMs }, 'What is scheduled could not be read. It is tried again.')
    return pauseMs
  }
}
