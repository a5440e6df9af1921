import { hasBrand } from '../errors'
import type { ConsumerView, EventType, EventView, ReviewListItemView } from '../generated/index'

/**
 * Selects events of the log. The parts combine with AND, the items of a list with OR. Without any part, it selects all events.
 */
export interface LogFilter {
  /** The type is one of these. */
  readonly types?: readonly EventType[]
  /** The project is one of these. */
  readonly projects?: readonly string[]
  /** The environment is one of these. */
  readonly environments?: readonly string[]
  /** The `featureName` is one of these. */
  readonly features?: readonly string[]
}

/** Where a consumer starts: after the newest event, before the oldest one, or after the event with this id. */
export type ConsumerStart = 'now' | 'beginning' | number

/** The facts about an attempt that {@link Consumer.handle} receives. */
export interface ConsumerContext {
  /** The number of this attempt, starting at 1. Progress resets it. */
  readonly attempt: number
  /** When the first of the attempts failed since the last progress, UTC, ISO 8601; null in a first attempt. */
  readonly failingSince: string | null
  /** Aborts when the attempt takes too long, when this process no longer owns the consumer, and in `router.close()`. */
  readonly signal: AbortSignal
  /** The log that the events are from. */
  readonly log: {
    /** A random UUID that `router.migrate()` stores once. A restored database keeps it. */
    readonly id: string
    /** The option `basePath` of the router. */
    readonly basePath: string
  }
  /**
   * Returns the change request of a project as `GET /reviews` lists it, for a caller without permissions: as it is now, not as it
   * was at the event. Null for a draft, and if there is none. `effects`, `conflict` and `overwrites` are null while the flag
   * gateway fails. Errors of the driver are rethrown unchanged.
   */
  readonly describe: (project: string, id: number) => Promise<ReviewListItemView | null>
  /**
   * Records that the events of the batch up to this id are handled. Stored at most once a second, and when the attempt ends: a
   * killed process repeats at most the last second. The time limit of the attempt starts again.
   *
   * @throws TypeError when the id is not in the batch, or is below an id that is already recorded.
   * @throws ChangeRequestError ConflictError when the attempt has ended.
   */
  readonly done: (id: number) => Promise<void>
}

/**
 * A durable reader of the log, for `router.events.consume`. It receives each event at least once, in order of the ids, in one
 * process at a time. Its position is stored, so that it continues after a restart.
 *
 * @example
 * ```ts
 * import { appendFile } from 'node:fs/promises'
 *
 * const audit: Consumer = {
 *   name: 'audit',
 *   from: 'beginning',
 *   async handle(events) {
 *     await appendFile('audit.ndjson', events.map((event) => `${JSON.stringify(event)}\n`).join(''))
 *   },
 * }
 * router.events.consume(audit)
 * ```
 */
export interface Consumer {
  /** The name of its position: 1 to 100 of the characters a to z, 0 to 9 and `-`. Unique in the database. */
  readonly name: string
  /**
   * The events it receives. The filter is not stored: a new one applies from the position on.
   * @defaultValue all events
   */
  readonly filter?: LogFilter
  /**
   * Where it starts if no position is stored for the name.
   * @defaultValue `'now'`
   */
  readonly from?: ConsumerStart
  /**
   * The maximum number of events in a batch, at most 1,000. A batch of large events is smaller.
   * @defaultValue `100`
   */
  readonly batchSize?: number
  /**
   * Handles a batch. The position moves when it resolves. If it throws, or takes longer than `limits.consumerTimeoutMs`, the
   * events that are not recorded as done are delivered again, after a pause: see {@link ConsumerRetry} and
   * {@link ConsumerStop}. An attempt that was interrupted by `signal` must throw, unless it has handled the whole batch.
   */
  handle(events: readonly EventView[], context: ConsumerContext): void | Promise<void>
  /** Releases what it holds open, such as connections. Called once, by `router.close()`. */
  close?(): void | Promise<void>
}

/** A consumer of this process, whether its position is stored or not. */
export type RegisteredConsumer = Required<Pick<Consumer, 'name' | 'from'>>

/** What a name of a consumer must be. */
export const consumerNameText = '1 to 100 of the characters a-z, 0-9 and -'

/** True for a name that a {@link Consumer} can have. */
export function isConsumerName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z0-9-]{1,100}$/.test(name)
}

/** The durable consumers, as `router.health()` returns them. */
export interface ConsumersHealth {
  /** The lowest position of all consumers: events up to it can be removed from the log. Null without consumers. */
  readonly lowestPosition: number | null
  /** The consumers, by name. */
  readonly items: readonly ConsumerView[]
}

const retryBrand = Symbol.for('express-change-requests.consumer-retry')
const stopBrand = Symbol.for('express-change-requests.consumer-stop')

/** Whether a handler threw {@link ConsumerRetry}, also of another installed copy. */
export function isConsumerRetry(thrown: unknown): thrown is { readonly afterMs?: unknown } {
  return hasBrand(thrown, retryBrand)
}

/** Whether a handler threw {@link ConsumerStop}, also of another installed copy. */
export function isConsumerStop(thrown: unknown): boolean {
  return hasBrand(thrown, stopBrand)
}

/**
 * Thrown by {@link Consumer.handle}: retry after this time, instead of the default pause of up to an hour. Counts as a failure.
 *
 * @example
 * ```ts
 * const handle: Consumer['handle'] = async (events) => {
 *   const response = await fetch('https://search.example.com/bulk', { method: 'POST', body: JSON.stringify(events) })
 *   if (response.status === 429) throw new ConsumerRetry({ afterMs: 30_000 })
 * }
 * ```
 */
export class ConsumerRetry extends Error {
  /** The name of the class, for logs. */
  override readonly name = 'ConsumerRetry'
  /** The pause in milliseconds; more than an hour counts as an hour. */
  readonly afterMs: number

  /** @param message is stored and shown as the last error; the first 200 characters */
  constructor(
    { afterMs }: { readonly afterMs: number },
    message = 'The handler asked for a retry.',
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    if (typeof afterMs !== 'number' || !(afterMs >= 0)) {
      throw new TypeError('ConsumerRetry: "afterMs" must be a number of milliseconds of at least 0.')
    }
    this.afterMs = afterMs
    Object.defineProperty(this, retryBrand, { value: true })
  }
}

/**
 * Thrown by {@link Consumer.handle}: stop the consumer in all processes, until `router.events.seek`, or "Retry now" on the page.
 *
 * @example
 * ```ts
 * const handle: Consumer['handle'] = async (events) => {
 *   const response = await fetch('https://search.example.com/bulk', { method: 'POST', body: JSON.stringify(events) })
 *   if (response.status === 410) throw new ConsumerStop('The search index was deleted.')
 * }
 * ```
 */
export class ConsumerStop extends Error {
  /** The name of the class, for logs. */
  override readonly name = 'ConsumerStop'

  /** @param reason is stored and shown; the first 200 characters */
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(reason, options)
    Object.defineProperty(this, stopBrand, { value: true })
  }
}
