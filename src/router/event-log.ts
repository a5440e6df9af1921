import type { Consumers } from '../capabilities/consumers/consumers'
import { followLog, readLog } from '../capabilities/log/read-log'
import type { EventView, RecordedEvent } from '../generated/index'
import { recordFailure } from '../kernel/host/failures'
import { warnOfUnread } from '../kernel/log/describe-consumers'
import { recordEvents, type Skip } from '../kernel/log/record-events'
import { removeConsumer, seekConsumer } from '../kernel/log/seek-consumer'
import type { Services } from '../kernel/services'
import type { Consumer, ConsumerStart } from '../ports/consumers'
import type { EventFollowOptions, EventReadOptions, EventReadPage } from '../ports/event-log'

/**
 * Options of {@link EventLog.record}.
 *
 * @typeParam Transaction The transaction of your storage: `Knex.Transaction` with the Knex storage.
 */
export interface RecordOptions<Transaction = unknown> {
  /**
   * A transaction of your app on the database of the storage: the events are committed with it. Record them as its last step.
   * @defaultValue none: the events are committed before the promise resolves
   */
  readonly transaction?: Transaction
}

/**
 * The event log, for your own code: `router.events`. No permission is checked: the caller is your app.
 *
 * @typeParam Transaction The transaction of your storage; inferred.
 */
export interface EventLog<Transaction = unknown> {
  /**
   * Appends one or more events in the given order, atomically. An event whose `data` equals its `preData` is
   * skipped, because nothing has changed.
   *
   * @throws ChangeRequestError BadDataError when the type or shape of an event is unknown, and for
   * types that only the router writes, such as `change-request-applied`; UnavailableError when the database
   * fails, whose message says whether the events may have been recorded, and whose `cause` is the error of the driver. With
   * `transaction`, errors of the driver are rethrown unchanged.
   * @throws TypeError when the storage cannot share transactions, or when `transaction` is not one of its database.
   */
  record(event: RecordedEvent | readonly RecordedEvent[], options?: RecordOptions<Transaction>): Promise<void>
  /**
   * Rebuilds the counts and the index of the log. Call it after you have deleted old events (Retention in docs/operations.md).
   * Logs a warning for each consumer that had not read all of them.
   */
  recount(): Promise<void>
  /**
   * Reads one page of events.
   *
   * @throws TypeError that names the invalid option. Errors of the driver are rethrown unchanged.
   */
  read(options?: EventReadOptions): Promise<EventReadPage>
  /**
   * Yields new events in the order of their ids, each once. Retries while the database is away. Only `signal` and
   * `router.close()` end it, without an error. The position is not stored: see {@link EventLog.consume}.
   *
   * @example
   * ```ts
   * for await (const { type, featureName } of router.events.follow({ filter: { projects: ['shop'] } })) {
   *   console.log(type, featureName)
   * }
   * ```
   *
   * @throws TypeError that names the invalid option.
   */
  follow(options?: EventFollowOptions): AsyncIterable<EventView>
  /**
   * Delivers events to a durable consumer between `router.start()` and `router.close()`. Call it in each process: one of them
   * at a time runs the consumer.
   *
   * @throws TypeError that names the invalid property; for a second consumer with the same name; after `router.close()`; and
   * if the storage has no `consumers`.
   */
  consume(consumer: Consumer): void
  /**
   * Moves a consumer: it continues with the events after this id, after the newest one, or with the oldest one. A running batch
   * is aborted. Failures are forgotten, and a stopped consumer continues.
   *
   * @throws ChangeRequestError NotFoundError for an unknown name; BadDataError for an id above the newest one.
   * @throws TypeError for an invalid position.
   */
  seek(name: string, to: ConsumerStart): Promise<void>
  /**
   * Removes the position of a consumer that is not used any more.
   *
   * @throws ChangeRequestError NotFoundError for an unknown name; ConflictError while a process runs the consumer.
   */
  removeConsumer(name: string): Promise<void>
}

/** @param currentSkip returns the skipped review that the running code belongs to */
export function createEventLog(
  services: Services,
  consumers: Consumers,
  currentSkip: () => Skip | undefined,
): EventLog {
  const { storage, parseEvent } = services
  return {
    async record(event, { transaction } = {}) {
      const events = (Array.isArray(event) ? event : [event]).map(parseEvent)
      if (transaction !== undefined) {
        if (storage.within === undefined)
          throw new TypeError('This storage cannot share transactions. Leave out the option transaction.')
        return recordEvents(services, events, storage.within(transaction), currentSkip())
      }
      await recordEvents(services, events, storage, currentSkip()).catch((error: unknown) => {
        services.outage.covers(error)
        throw recordFailure(storage, error)
      })
    },
    async recount() {
      await storage.recountEvents?.()
      await warnOfUnread(services)
    },
    read: (options) => readLog(storage, options),
    follow: (options) => followLog(services, options),
    consume: (consumer) => consumers.consume(consumer),
    async seek(name, to) {
      await seekConsumer(storage, name, to)
      consumers.wake()
    },
    removeConsumer: (name) => removeConsumer(storage, name),
  }
}
