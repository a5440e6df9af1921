import { pause, pauseAfter } from '../../../pause'
import { codeOf } from '../database/failures'
import type { SqliteConnection } from './handle'
import { pragma } from './prepared'

const firstPauseMs = 2
const maxPauseMs = 50
/** Attempts within this time that find the lock held share one time limit. */
const sameLockMs = 1_000

/**
 * Waits for a lock that another process holds. Nothing blocks the event loop: each attempt returns immediately, and the
 * pauses between attempts grow. All callers share one time limit, which starts when the first of them finds the lock held.
 * After it, each caller makes a single attempt.
 */
export class LockWait {
  readonly #timeoutMs: number
  #heldSince = 0
  #lastHeld = Number.NEGATIVE_INFINITY

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** @param begun true once the attempt has done something that must not be repeated. */
  async run<Value>(attempt: () => Value | Promise<Value>, begun = () => false): Promise<Value> {
    for (let count = 1; ; count += 1) {
      try {
        const value = await attempt()
        this.#lastHeld = Number.NEGATIVE_INFINITY
        return value
      } catch (error) {
        if (begun() || !isHeld(error)) throw error
        const leftMs = this.#leftMs(performance.now())
        if (leftMs <= 0) throw error
        await pause(Math.min(leftMs, pauseAfter(count, firstPauseMs, maxPauseMs)))
      }
    }
  }

  #leftMs(now: number): number {
    if (now - this.#lastHeld > sameLockMs) this.#heldSince = now
    this.#lastHeld = now
    return this.#heldSince + this.#timeoutMs - now
  }
}

/**
 * Runs `use` so that a statement fails immediately when it finds a lock held. The driver would block the event loop instead,
 * by default for five seconds. This setting of the host app, and others that are set as well, are restored afterwards.
 */
export function withoutBlocking<Value>(connection: SqliteConnection, use: () => Value, others?: Pragmas): Value {
  const restore = setPragmas(connection, { ...others, busy_timeout: 0 })
  try {
    return use()
  } finally {
    restore()
  }
}

/** False for an outdated snapshot, because waiting does not help. */
function isHeld(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('SQLITE_BUSY') && code !== 'SQLITE_BUSY_SNAPSHOT'
}

/** A transaction of the host app is open. The code makes the caller wait as for the lock of another process. */
export class HostTransactionError extends Error {
  readonly code = 'SQLITE_BUSY'

  constructor() {
    super('A transaction of the host app is open on the connection.')
  }
}

export interface Pragmas {
  readonly busy_timeout?: number
  /** 1 for `normal`, 2 for `full`. It cannot be changed inside a transaction. */
  readonly synchronous?: 1 | 2
}

/**
 * Changes settings of a connection of the host app; returns a function that restores them. SQLite reads and changes settings
 * when it compiles a statement. A prepared one that reads a setting is compiled again before each run, but not the first; one
 * that changes a setting is never prepared.
 */
export function setPragmas(connection: SqliteConnection, wanted: Pragmas): () => void {
  const set: string[] = []
  const restore: string[] = []
  for (const [name, value] of Object.entries(wanted)) {
    const before = pragma(connection, name)
    if (before === value) continue
    set.push(`pragma ${name} = ${value}`)
    restore.push(`pragma ${name} = ${before}`)
  }
  if (set.length === 0) return () => undefined
  connection.exec(set.join(';'))
  return () => connection.exec(restore.join(';'))
}
