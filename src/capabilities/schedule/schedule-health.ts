import { clockOffset } from '../../domain/instants'
import { now } from '../../kernel/host-services'
import { describeConsumers, noConsumers } from '../../kernel/log/describe-consumers'
import type { Services } from '../../kernel/services'
import type { ConsumersHealth } from '../../ports/consumers'
import type { StorageHealth } from '../../ports/storage/storage'
import { countInterrupted } from '../apply/settler'

/** The scheduled change requests, as `router.health()` returns them. */
export interface ScheduleHealth {
  /** The number of change requests whose time has come and that are not applied yet, without those that a freeze holds. */
  readonly due: number
  /** When the next one will be applied; null if none is scheduled. */
  readonly next: string | null
  /** The time of the first one that is due; null if none is due. */
  readonly overdueSince: string | null
  /** When this process last checked for due change requests; null if it never did. */
  readonly lastRunAt: string | null
  /** The number of change requests that a freeze holds: they are due after it. */
  readonly held: number
  /** How far the clock of this process is ahead of the database's; null if that has none, as with SQLite. */
  readonly clockOffMs: number | null
}

/** The state of a router, as {@link ChangeRequestRouter.health} returns it. */
export interface RouterHealth extends StorageHealth {
  /** The scheduled change requests. */
  readonly schedule: ScheduleHealth
  /** The number of applies without a result for `limits.applyTimeoutMs`: their flags may have changed. */
  readonly interruptedApplies: number
  /** The durable consumers of the log, in all processes. */
  readonly consumers: ConsumersHealth
  /** The functions of your app or of the storage that failed just now, such as `clock`; the log has their errors. */
  readonly failures: readonly string[]
}

/** Never rejects: values that cannot be determined are null or 0, and `failures` names the functions that failed. */
export async function routerHealth(services: Services, lastRunAt: string | null): Promise<RouterHealth> {
  const { storage, logger } = services
  const failures: string[] = []
  const attempt = async <Value>(name: string, call: () => Value | Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await call()
    } catch (err) {
      failures.push(name)
      logger.warn({ err, function: name }, 'health() is incomplete, because a function failed.')
      return otherwise
    }
  }
  const time = () => Date.parse(now(services))
  const before = await attempt('clock', time, null)
  const health = await attempt('storage.health', () => storage.health(), unreachable)
  const after = before === null ? null : await attempt('clock', time, null)
  const isKnown = before !== null && after !== null
  const clockOffMs = isKnown && health.now !== undefined ? clockOffset(health.now, before, after) : null
  const isReadable = health.reachable && isKnown
  const listConsumers = () => describeConsumers(storage, services.clock(), services.consumers?.())
  const unknown = { due: 0, first: null, next: null, held: 0 }
  const [{ due, first, next, held }, interruptedApplies, consumers] = await Promise.all([
    isReadable ? attempt('storage.dueTimes', () => storage.dueTimes(now(services)), unknown) : unknown,
    isReadable ? attempt('storage.interrupted', () => countInterrupted(services), 0) : 0,
    isReadable ? attempt('storage.consumers', listConsumers, noConsumers) : noConsumers,
  ])
  const schedule = { due, next, overdueSince: first, lastRunAt, held, clockOffMs }
  return { ...health, schedule, interruptedApplies, consumers, failures }
}

const unreachable: StorageHealth = {
  reachable: false,
  schemaVersion: 0,
  compatible: false,
  lastEventId: 0,
  durability: 'unknown',
}
