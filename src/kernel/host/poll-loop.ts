import { AsyncResource } from 'node:async_hooks'

/** Polls, one at a time: again after the pause that the last poll returned, immediately after {@link wake}. */
export class PollLoop {
  /** A request that wakes the loop would otherwise have all later statements in its trace. */
  readonly #outside = new AsyncResource('PollLoop')
  readonly #poll: () => Promise<number | undefined>
  readonly #afterFailure: (error: unknown, failures: number) => number
  #state: 'idle' | 'started' | 'closed' = 'idle'
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #again = false
  /** The number of failures since the last poll that succeeded. */
  #failures = 0

  /**
   * @param poll Returns the time until the next poll in milliseconds; undefined if only {@link wake} begins one.
   * @param afterFailure The same after a poll that failed; not called after {@link close}.
   */
  constructor(poll: () => Promise<number | undefined>, afterFailure: (error: unknown, failures: number) => number) {
    this.#poll = poll
    this.#afterFailure = afterFailure
  }

  get state(): 'idle' | 'started' | 'closed' {
    return this.#state
  }

  start(): void {
    if (this.#state !== 'idle') return
    this.#state = 'started'
    this.#begin()
  }

  /** Polls immediately, or after this time in milliseconds, if it was started. */
  wake(afterMs = 0): void {
    if (this.#state !== 'started') return
    if (this.#round !== undefined) this.#again = true
    else if (afterMs > 0) this.#beginAfter(afterMs)
    else this.#begin()
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    await this.#round
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#again = false
    this.#round = this.#outside
      .runInAsyncScope(() => this.#next())
      .then((waitMs) => {
        this.#round = undefined
        const pauseMs = this.#again ? 0 : waitMs
        if (this.#state === 'closed' || pauseMs === undefined) return
        this.#beginAfter(pauseMs)
      })
  }

  #beginAfter(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#begin(), waitMs).unref()
  }

  async #next(): Promise<number | undefined> {
    try {
      const waitMs = await this.#poll()
      this.#failures = 0
      return waitMs
    } catch (error) {
      this.#failures += 1
      return this.#state === 'closed' ? undefined : this.#afterFailure(error, this.#failures)
    }
  }
}
