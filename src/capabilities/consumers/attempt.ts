import { ChangeRequestError } from '../../errors'
import type { EventView } from '../../generated/index'
import { textOfThrown } from '../../kernel/host/hooks'
import { pauseAfter } from '../../pause'
import { type ConsumerContext, isConsumerRetry, isConsumerStop } from '../../ports/consumers'
import type { ConsumerStatus } from '../../ports/storage/consumers'
import { type Telemetry, withTelemetry } from '../../ports/telemetry'
import type { ResolvedConsumer } from './check-consumer'

export type Outcome = 'handled' | 'lost' | { readonly error: unknown }

export class Attempt {
  readonly #consumer: ResolvedConsumer
  readonly #events: readonly EventView[]
  readonly #timeoutMs: number
  readonly #onProgress: (id: number) => Promise<void>
  readonly #telemetry: Telemetry
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #end: (outcome: Outcome) => void = () => {}
  #hasEnded = false
  /** The id up to which the handler has recorded its events as done. */
  doneTo: number | undefined

  constructor(
    consumer: ResolvedConsumer,
    events: readonly EventView[],
    timeoutMs: number,
    onProgress: (id: number) => Promise<void>,
    telemetry: Telemetry,
  ) {
    this.#consumer = consumer
    this.#events = events
    this.#timeoutMs = timeoutMs
    this.#onProgress = onProgress
    this.#telemetry = telemetry
  }

  /** Calls the handler. A handler that ignores its signal is not waited for after the time limit. */
  async run(facts: Omit<ConsumerContext, 'signal' | 'done'>): Promise<Outcome> {
    const ended = new Promise<Outcome>((resolve) => {
      this.#end = resolve
    })
    this.#startTimer()
    const { signal } = this.#controller
    const context = withTelemetry({ ...facts, signal, done: (id: number) => this.#done(id) }, this.#telemetry)
    const call = async () => this.#consumer.handle(this.#events, context)
    call().then(
      () => this.#end('handled'),
      (error: unknown) => this.#end({ error }),
    )
    const outcome = await ended
    this.#hasEnded = true
    clearTimeout(this.#timer)
    return outcome
  }

  abort(): void {
    this.#controller.abort()
  }

  /** Aborts the signal, and ends the attempt without a result. */
  lose(): void {
    this.#controller.abort()
    this.#end('lost')
  }

  async #done(id: number): Promise<void> {
    if (this.#hasEnded) {
      const text = `The attempt of ${this.#consumer.name} has ended. Stop handling the batch.`
      throw new ChangeRequestError('ConflictError', text)
    }
    const isNext = id >= (this.doneTo ?? 0) && this.#events.some((event) => event.id === id)
    if (!isNext) throw new TypeError(`done: ${id} is not in the batch, or is below an id that is already done.`)
    this.doneTo = id
    this.#startTimer()
    await this.#onProgress(id)
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#controller.abort()
      this.#end({ error: new Error(`The handler did not finish within ${this.#timeoutMs} ms.`) })
    }, this.#timeoutMs).unref()
  }
}

const firstPauseMs = 1_000
export const longestPauseMs = 3_600_000
const maxTextLength = 200

export function progressed(status: ConsumerStatus, at: Date): ConsumerStatus {
  const noFailure = { failures: 0, failingSince: null, nextAttemptAt: null, lastError: null }
  return { ...status, ...noFailure, handledAt: at.toISOString() }
}

/** The status after a failed attempt, whose handler can have thrown any value: a pause, or the end of all attempts. */
export function failed(status: ConsumerStatus, error: unknown, at: Date): ConsumerStatus {
  const failures = status.failures + 1
  const lastError = textOfThrown(error, maxTextLength)
  const failing = { ...status, failures, failingSince: status.failingSince ?? at.toISOString(), lastError }
  if (isConsumerStop(error)) return stopped(failing, lastError)
  return { ...failing, nextAttemptAt: new Date(at.getTime() + pauseOf(error, failures)).toISOString() }
}

export function stopped(status: ConsumerStatus, reason: string): ConsumerStatus {
  return { ...status, reason, nextAttemptAt: null }
}

function pauseOf(error: unknown, failures: number): number {
  const afterMs = isConsumerRetry(error) ? afterMsOf(error) : undefined
  return afterMs === undefined ? pauseAfter(failures, firstPauseMs, longestPauseMs) : Math.min(afterMs, longestPauseMs)
}

/** Undefined unless it is a duration: another copy of the package may have created the error. */
function afterMsOf(error: { readonly afterMs?: unknown }): number | undefined {
  try {
    const { afterMs } = error
    return typeof afterMs === 'number' && afterMs >= 0 ? afterMs : undefined
  } catch {
    return undefined
  }
}
