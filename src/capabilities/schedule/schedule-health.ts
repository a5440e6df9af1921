import { clockOffset } from '../../domain/schedule/clock'
import { now, type Services } from '../../kernel/services'
import type { StorageHealth } from '../../ports/storage/storage'
import { countInterrupted } from '../apply/interrupted'

/**
 * What waits for its time, as `router.health()` returns it.
 *
 * @example
 * ```ts
 * const { schedule } = await router.health()
 * const late = schedule.overdueSince !== null && Date.now() - Date.parse(schedule.overdueSince) > 60_000
 * ```
 */
export interface ScheduleHealth {
  /** How many change requests should have been applied by now and are not. */
  readonly due: number
  /** When the next one is to be applied; null when nothing more is scheduled. */
  readonly next: string | null
  /** Since when the first of those that are due is; null when none is. */
  readonly overdueSince: string | null
  /** When this process last looked for what is due; null if it never did. */
  readonly lastRunAt: string | null
  /** How far the clock of this process is ahead of that of the database; null where that has none, as with SQLite. */
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
  /** What waits for its time. */
  readonly schedule: ScheduleHealth
  /** How many applies have had no outcome for `limits.applyTimeoutMs`: their flags may be changed. */
  readonly interruptedApplies: number
}

/** Never rejects: what the storage does not answer is null, or 0. */
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
