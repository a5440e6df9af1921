import { type ChangeRequestSummary, subjectsOfSummary } from '../../domain/content/summary'
import { createClockCheck } from '../../kernel/host/outage'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { shuffled } from '../../kernel/writer/retry-on-conflict'
import { applyScheduled, type RunResult, type ScheduledReference } from './apply-scheduled'
import { readDue } from './due-queue'
import { followAll } from './follow'
import { FreezeRound } from './freeze-round'
import { Pauses } from './pauses'

const clockIsOff =
  "Scheduled change requests are not applied here: this process's clock differs from the database's. Correct the clock."

/** Concurrency limit. A hanging gateway blocks one slot. */
const maxRunning = 8

/** How many subjects begin in one iteration of the event loop. A change request of one flag has two. */
const maxBeginning = 2 * maxRunning

export interface RunCounts {
  applied: number
  failed: number
  suspended: number
}

export class Runner {
  readonly #services: Services
  readonly #running = new Map<number, { readonly subjects: readonly string[]; readonly done: Promise<void> }>()
  readonly #pauses = new Pauses<number>()
  readonly #tallies = new Set<RunCounts>()
  #ready: ChangeRequestSummary[] = []
  #freezes: FreezeRound
  #more = false
  #iteration: Promise<unknown> = Promise.resolve()
  /** The number of subjects that begin in this iteration. */
  #begun = 0
  readonly #isClockRight: () => Promise<boolean>
  #closed = false
  /** Called when change requests that waited for others can be applied. */
  onFree: () => void = () => {}

  constructor(services: Services) {
    this.#services = services
    this.#freezes = new FreezeRound(services)
    this.#isClockRight = createClockCheck(services, clockIsOff)
  }

  /** Begins to apply what is due, unless the clock of this process is wrong. */
  async fill(): Promise<void> {
    if (this.#ready.length > 0 || !(await this.#isClockRight())) return
    const busy = new Set([...this.#running.values()].flatMap(({ subjects }) => subjects))
    const freezes = new FreezeRound(this.#services)
    const { ready, more } = await readDue(this.#services.storage, {
      before: now(this.#services),
      busy,
      freezes,
      isPaused: ({ id }) => this.#pauses.isPaused(id),
      onFailure: (due, err) => this.#retryLater(due, err),
    })
    freezes.begin(ready)
    this.#freezes = freezes
    const fresh = ready.filter((summary) => !this.#isBusy(summary))
    this.#ready = this.#closed ? [] : shuffled(fresh)
    this.#more = more
    this.#startNext()
  }

  async runAll(): Promise<RunCounts> {
    const counts: RunCounts = { applied: 0, failed: 0, suspended: 0 }
    this.#tallies.add(counts)
    this.#pauses.endAll()
    try {
      // Nothing else follows the log where the host app calls `runDue()` alone.
      await this.#followAll()
      await this.fill()
      while (this.#running.size > 0) {
        await this.#settled()
        await this.#followAll()
        await this.fill()
      }
    } finally {
      this.#tallies.delete(counts)
    }
    return counts
  }

  async #followAll(): Promise<void> {
    const { logger, outage } = this.#services
    try {
      // In a row, each can change the next one.
      while (await followAll(this.#services)) {}
    } catch (err) {
      if (!(await outage.explains(err))) logger.warn({ err }, 'Schedules that follow others could not be checked yet.')
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#ready = []
    await this.#settled()
  }

  async #settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #isBusy(summary: ChangeRequestSummary): boolean {
    const subjects = subjectsOfSummary(summary)
    return [...this.#running.values()].some((one) => one.subjects.some((subject) => subjects.includes(subject)))
  }

  #startNext(): void {
    while (this.#running.size < maxRunning) {
      const summary = this.#ready.shift()
      if (summary === undefined) return
      const { id } = summary
      const subjects = subjectsOfSummary(summary)
      const done = this.#run(summary, subjects).finally(() => {
        this.#running.delete(id)
        this.#startNext()
        if (this.#more && this.#ready.length === 0) this.onFree()
      })
      this.#running.set(id, { subjects, done })
    }
  }

  async #run({ project, id }: ChangeRequestSummary, subjects: readonly string[]): Promise<void> {
    // The next round may begin before its turn.
    const freezes = this.#freezes
    await this.#nextIteration(subjects.length)
    try {
      const run = () => applyScheduled(this.#services, { project, id }, freezes)
      const result = await this.#services.telemetry.span('schedule.run', run, { isRoot: true })
      if (result === 'busy' || result === 'waiting' || result === 'not-due') return void this.#pauses.extend(id)
      this.#pauses.end(id)
      if (result !== 'held') this.#count(result)
    } catch (err) {
      await this.#retryLater({ project, id }, err)
    }
  }

  async #retryLater({ project, id }: ScheduledReference, err: unknown): Promise<void> {
    const pauseMs = this.#pauses.extend(id)
    const { logger, outage } = this.#services
    // The others would fail, too. All of them are read again when the database is back.
    if (await outage.explains(err)) this.#ready = []
    else logger.warn({ err, id, project, pauseMs }, 'A scheduled change request could not be applied yet. Retrying.')
  }

  /**
   * On SQLite, which never waits, a run would block all requests. Small change requests begin in the same iteration of the event
   * loop: they share their commits.
   */
  #nextIteration(subjects: number): Promise<unknown> {
    this.#begun += subjects
    if (this.#begun > maxBeginning) {
      this.#iteration = this.#iteration.then(() => new Promise(setImmediate))
      this.#begun = subjects
    }
    return this.#iteration
  }

  #count(result: Exclude<RunResult, 'busy' | 'waiting' | 'not-due' | 'held'>): void {
    for (const counts of this.#tallies) counts[result] += 1
  }
}
