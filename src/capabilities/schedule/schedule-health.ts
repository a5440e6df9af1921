import { clockOffset } from '../../domain/schedule/clock'
import { now, type Services } from '../../kernel/services'
import type { StorageHealth } from '../../ports/storage/storage'
import { countInterrupted } from '../apply/interrupted'

/**
 * The scheduled change requests, as `router.health()` returns them.
 *
 * @example
 * ```ts
 * const { schedule } = await router.health()
 * const late = schedule.overdueSince !== null && Date.now() - Date.parse(schedule.overdueSince) > 60_000
 * ```
 */
export interface ScheduleHealth {
  /** The number of change requests whose time has come and that are not applied yet. */
  readonly due: number
  /** When the next one will be applied; null if none is scheduled. */
  readonly next: string | null
  /** The time of the first one that is due; null if none is due. */
  readonly overdueSince: string | null
  /** When this process last checked for due change requests; null if it never did. */
  readonly lastRunAt: string | null
  /** How far the clock of this process is ahead of the database's; null if that has none, as with SQLite. */
  readonly clockOffMs: number | null
}

/**
 * The state of a router, as {@link ChangeRequestRouter.health} returns it.
 *
 * @example
 * ```ts
 * const isWell = ({ reachable, interruptedApplies }: RouterHealth): boolean => reachable && interruptedApplies === 0
 * ```
 */
export interface RouterHealth extends StorageHealth {
  /** The scheduled change requests. */
  readonly schedule: ScheduleHealth
  /** The number of applies without a result for `limits.applyTimeoutMs`: their flags may have changed. */
  readonly interruptedApplies: number
}

/** Never rejects: values that the storage does not return are null or 0. */
export async function routerHealth(services: Services, lastRunAt: string | null): Promise<RouterHealth> {
  const { storage, clock } = services
  const before = clock().getTime()
  const health = await storage.health()
  const clockOffMs = health.now === undefined ? null : clockOffset(health.now, before, clock().getTime())
  const unknown = { due: 0, first: null, next: null }
  const [{ due, first, next }, interruptedApplies] = health.reachable
    ? await Promise.all([
        storage.dueTimes(now(services)).catch(() => unknown),
        countInterrupted(services).catch(() => 0),
      ])
    : [unknown, 0]
  return { ...health, schedule: { due, next, overdueSince: first, lastRunAt, clockOffMs }, interruptedApplies }
}
