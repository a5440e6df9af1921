import type { RecordedEvent } from '../generated/index'
import { recordEvents, type Skip } from '../kernel/events/record-events'
import type { Services } from '../kernel/services'
import { parseRecordedEvent } from '../validation/recorded-event'

/**
 * Options of {@link EventLog.record}.
 *
 * @example
 * ```ts
 * await knex.transaction(async (transaction) => {
 *   await transaction('flags').where({ name: 'checkout' }).update({ archived: true })
 *   const options: RecordOptions = { transaction }
 *   await router.events.record({ type: 'feature-archived', featureName: 'checkout' }, options)
 * })
 * ```
 */
export interface RecordOptions {
  /**
   * A transaction of your app, such as one of Knex: the events are committed with it. Record them as its last step.
   * @defaultValue none: the events are committed before the promise resolves
   */
  readonly transaction?: unknown
}

/**
 * The event log, for your own code: `router.events`.
 *
 * @example
 * ```ts
 * await router.events.record({
 *   type: 'feature-archived',
 *   project: 'shop',
 *   featureName: 'checkout',
 *   createdBy: 'ann@example.com',
 *   createdByUserId: 1,
 * })
 * ```
 */
export interface EventLog {
  /**
   * Appends one or more events in the given order, atomically. An event whose `data` equals its `preData` is
   * skipped, because nothing has changed.
   *
   * @throws ChangeRequestError BadDataError when the type or shape of an event is unknown. Errors of the driver are
   * rethrown unchanged.
   * @throws TypeError when the storage cannot share transactions, or when `transaction` is not one of its database.
   */
  record(event: RecordedEvent | readonly RecordedEvent[], options?: RecordOptions): Promise<void>
  /** Rebuilds the counts and the index of the log. Call it after you have deleted old events (Retention in docs/operations.md). */
  recount(): Promise<void>
}

/**
 * The event log of a router.
 *
 * @param currentSkip returns the skipped review that the running code belongs to
 */
export function createEventLog(services: Services, currentSkip: () => Skip | undefined): EventLog {
  const { storage } = services
  return {
    async record(event, { transaction } = {}) {
      const events = (Array.isArray(event) ? event : [event]).map(parseRecordedEvent)
      await recordEvents(services, events, transaction === undefined ? storage : within(transaction), currentSkip())
    },
    recount: () => storage.recountEvents(),
  }

  function within(transaction: unknown) {
    if (storage.within === undefined)
      throw new TypeError('This storage cannot share transactions. Leave out the option transaction.')
    return storage.within(transaction)
  }
}
