import { createClockCheck } from '../../kernel/host/outage'
import { PollLoop } from '../../kernel/host/poll-loop'
import type { Services } from '../../kernel/services'
import { canSettle, settleFirst } from '../../kernel/step/settle'
import { shuffled } from '../../kernel/writer/retry-on-conflict'
import type { InterruptedApply } from '../../ports/storage/change-requests'

const clockIsOff =
  "Interrupted applies are not settled here: this process's clock differs from the database's. Correct the clock."

/** An interrupted apply must be settled within `limits.applyTimeoutMs` and 5 s (contract 12). */
const defaultPollMs = 2_000
/** Concurrency limit. A hanging gateway blocks one slot. */
const maxRunning = 8

/** Settles interrupted applies by the gateway's `outcome`: at the start, and every two seconds. */
export class Settler {
  readonly #services: Services
  readonly #loop: PollLoop
  readonly #running = new Map<number, Promise<void>>()
  /** The last log entry about each attempt, by the id of its change request. */
  readonly #logged = new Map<number, string>()
  #waiting: InterruptedApply[] = []
  /** If the clock is ahead, a running apply would count as interrupted. */
  readonly #isClockRight: () => Promise<boolean>

  constructor(services: Services, pollMs = defaultPollMs) {
    this.#services = services
    this.#isClockRight = createClockCheck(services, clockIsOff)
    this.#loop = new PollLoop(
      async () => {
        await this.#poll()
        return pollMs
      },
      (err, failures) => {
        const isNew = failures === 1 && !services.outage.covers(err)
        if (isNew) services.logger.warn({ err }, 'Interrupted applies could not be read. Retrying.')
        return pollMs
      },
    )
  }

  start(): void {
    this.#loop.start()
  }

  async close(): Promise<void> {
    this.#waiting = []
    await this.#loop.close()
    await Promise.all(this.#running.values())
  }

  /** One small query while nothing is interrupted. A slow gateway does not delay the next poll. */
  async #poll(): Promise<void> {
    const found: InterruptedApply[] = []
    for await (const page of readInterrupted(this.#services)) found.push(...page)
    const ids = new Set(found.map(({ id }) => id))
    for (const id of this.#logged.keys()) if (!ids.has(id)) this.#logged.delete(id)
    if (found.length === 0 || !(await this.#isClockRight())) return
    const fresh = found.filter(({ id }) => !this.#running.has(id))
    // In random order, so that an attempt for which the gateway hangs does not always block the same others.
    this.#waiting = this.#isClosed ? [] : shuffled(fresh)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#running.size < maxRunning) {
      const attempt = this.#waiting.shift()
      if (attempt === undefined) return
      const settling = this.#settle(attempt)
        .catch(async (error: unknown) => {
          if (await this.#services.outage.explains(error)) return
          const cause = (error as { cause?: unknown } | null)?.cause ?? error
          this.#logOnce(attempt, 'An interrupted apply could not be settled. Retrying.', cause)
        })
        .finally(() => {
          this.#running.delete(attempt.id)
          this.#startNext()
        })
      this.#running.set(attempt.id, settling)
    }
  }

  async #settle(attempt: InterruptedApply): Promise<void> {
    const { project, id } = attempt
    if (this.#services.flags?.outcome === undefined) return this.#logOnce(attempt, withoutOutcome)
    const found = await this.#services.storage.find({ project }, id)
    if (found === undefined || !canSettle(this.#services, found.changeRequest)) return
    const { changeRequest } = await settleFirst(this.#services, found)
    this.#services.logger.info({ project, id, state: changeRequest.state }, 'An interrupted apply was settled.')
  }

  /** Logs each attempt once, and again if the problem changes. */
  #logOnce({ project, id, applyingSince }: InterruptedApply, message: string, err?: unknown): void {
    const reason = `${applyingSince} ${message} ${err}`
    if (this.#isClosed || this.#logged.get(id) === reason) return
    this.#logged.set(id, reason)
    this.#services.logger.warn({ ...(err === undefined ? {} : { err }), project, id, applyingSince }, message)
  }

  get #isClosed(): boolean {
    return this.#loop.state === 'closed'
  }
}

const withoutOutcome =
  'An apply was interrupted, and the flag gateway has no outcome() to report whether it succeeded. Check the flags, and end ' +
  'the apply with router.settle().'

const pageSize = 100

type ReadServices = Pick<Services, 'storage' | 'clock' | 'options'>

async function* readInterrupted({ storage, clock, options }: ReadServices): AsyncGenerator<InterruptedApply[]> {
  const before = new Date(clock().getTime() - options.limits.applyTimeoutMs).toISOString()
  let after: InterruptedApply | undefined
  do {
    const page = await storage.interrupted(before, { limit: pageSize, ...(after && { after }) })
    yield page
    after = page.length < pageSize ? undefined : page.at(-1)
  } while (after !== undefined)
}

export async function countInterrupted(services: ReadServices): Promise<number> {
  let count = 0
  for await (const page of readInterrupted(services)) count += page.length
  return count
}
