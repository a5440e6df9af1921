import { clockOffset, isClockOff } from '../../domain/instants'
import { ChangeRequestError } from '../../errors'
import type { Logger } from '../../ports/logger'
import type { Storage, StorageHealth } from '../../ports/storage/storage'
import type { HostServices } from '../host-services'
import { failureOf } from './failures'
import { PollLoop } from './poll-loop'

const firstPauseMs = 100
const maxPauseMs = 2_000
/** After this time without a rejected write, a database that is no standby counts as writable again. */
const quietMs = 5_000

const lost = {
  unreachable: 'The database is unreachable. Requests get 503 until it is back.',
  'read-only':
    'The database accepts no writes, as on a standby. Until it does, writes get 503, and consumers and schedules wait.',
} as const

interface Current {
  readonly since: number
  failure: keyof typeof lost
  failedAt: number
  pauseMs: number
}

/** An outage of the database. It is logged once when it begins and once when it ends, however many calls fail meanwhile. */
export class Outage {
  readonly #storage: Pick<Storage, 'failureOf' | 'health'>
  readonly #logger: Logger
  readonly #loop = new PollLoop(
    () => this.#ask(),
    () => maxPauseMs,
  )
  #current: Current | undefined
  #count = 0
  #isStandby = false

  constructor(storage: Pick<Storage, 'failureOf' | 'health'>, logger: Logger) {
    this.#storage = storage
    this.#logger = logger
    this.#loop.start()
  }

  get isStandby(): boolean {
    return this.#isStandby
  }

  /** Whether an error is part of an outage, which is logged here. */
  covers(error: unknown): boolean {
    // A hook of the host app may use another database, so its error does not begin an outage.
    if (ChangeRequestError.is(error)) return this.#current !== undefined && this.#isFailedHook(error)
    const failure = failureOf(this.#storage, error)
    if (failure === 'busy') return this.#current !== undefined
    if (failure !== 'unreachable' && failure !== 'read-only') return false
    this.#report(failure, { err: error })
    return true
  }

  /** The same. For an error of a hook, it asks whether the storage is away, too. */
  async explains(error: unknown): Promise<boolean> {
    if (this.covers(error)) return true
    if (!ChangeRequestError.is(error) || !this.#isFailedHook(error)) return false
    const before = this.#count
    const { reachable } = await this.#storage.health()
    if (!reachable) this.#report('unreachable', { err: error.cause })
    // After a failover, the storage is back when it answers. Another call may have failed meanwhile, as the hook did.
    return !reachable || this.#count > before
  }

  #isFailedHook({ cause }: ChangeRequestError): boolean {
    const failure = cause === undefined ? undefined : failureOf(this.#storage, cause)
    return failure === 'unreachable' || failure === 'read-only' || failure === 'busy'
  }

  standby(): void {
    this.#isStandby = true
    this.#report('read-only', {})
  }

  close(): void {
    void this.#loop.close()
  }

  #report(failure: keyof typeof lost, facts: object): void {
    const at = performance.now()
    if (this.#current !== undefined) {
      this.#current.failure = failure
      this.#current.failedAt = at
    } else if (this.#loop.state === 'started') {
      this.#current = { since: at, failure, failedAt: at, pauseMs: firstPauseMs }
      this.#count += 1
      this.#logger.warn(facts, lost[failure])
      this.#loop.wake(firstPauseMs)
    }
  }

  /** Returns the time until it asks again; none while there is no outage. */
  async #ask(): Promise<number | undefined> {
    const outage = this.#current
    if (outage === undefined) return undefined
    const health = await this.#storage.health().catch(() => undefined)
    if (this.#loop.state === 'closed') return undefined
    if (!this.#isOver(outage, health)) {
      outage.pauseMs = Math.min(maxPauseMs, outage.pauseMs * 2)
      return outage.pauseMs
    }
    this.#current = undefined
    const awayMs = Math.round(performance.now() - outage.since)
    this.#logger.warn({ awayMs }, 'The database is back.')
    return undefined
  }

  #isOver({ failure, failedAt }: Current, health: StorageHealth | undefined): boolean {
    if (health === undefined || !health.reachable) return false
    const wasStandby = this.#isStandby
    this.#isStandby = health.recovery === true
    if (this.#isStandby) return false
    return failure === 'unreachable' || wasStandby || performance.now() - failedAt > quietMs
  }
}

/** Whether this process can decide for users who are not there: no standby, and a clock as the database's. */
export function createClockCheck(
  { storage, clock, logger, outage }: Pick<HostServices, 'storage' | 'clock' | 'logger'> & { readonly outage: Outage },
  message: string,
) {
  let wasOff = false
  return async function isRight(): Promise<boolean> {
    const before = clock().getTime()
    const { now, recovery } = await storage.health()
    if (recovery === true) {
      outage.standby()
      return false
    }
    const clockOffMs = now === undefined ? null : clockOffset(now, before, clock().getTime())
    const off = isClockOff(clockOffMs)
    if (off && !wasOff) logger.error({ clockOffMs }, message)
    wasOff = off
    return !off
  }
}
