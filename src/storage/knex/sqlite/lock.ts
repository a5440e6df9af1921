/** The part of a better-sqlite3 connection that is used here. */
export interface LockingConnection {
  exec(text: string): void
  pragma(text: string, options: { simple: true }): unknown
}

const longestPauseMs = 50
/** Attempts that find the lock held within this time wait for the same lock. */
const sameLockMs = 1_000

/**
 * Waits for a lock that another process holds. Nothing blocks the event loop: an attempt returns at once, and the pauses
 * between attempts grow. The time limit counts from when the lock was first found held, for all waiters together: a later
 * one makes a single attempt.
 */
export class LockWait {
  readonly #patienceMs: number
  #heldSince = 0
  #lastHeld = Number.NEGATIVE_INFINITY

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
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
        await pause(Math.min(leftMs, Math.min(longestPauseMs, 2 ** count) * (0.5 + Math.random() / 2)))
      }
    }
  }

  #leftMs(now: number): number {
    if (now - this.#lastHeld > sameLockMs) this.#heldSince = now
    this.#lastHeld = now
    return this.#heldSince + this.#patienceMs - now
  }
}

/**
 * Runs `use` so that a statement fails at once when it finds a lock held; the host's driver would block the event loop, for
 * five seconds by default. The setting of the host is restored afterwards.
 */
export function withoutBlocking<Value>(connection: LockingConnection, use: () => Value): Value {
  const before = Number(connection.pragma('busy_timeout', { simple: true }))
  connection.exec('pragma busy_timeout = 0')
  try {
    return use()
  } finally {
    connection.exec(`pragma busy_timeout = ${before}`)
  }
}

/** An outdated snapshot stays outdated, however long one waits. */
function isHeld(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY') && code !== 'SQLITE_BUSY_SNAPSHOT'
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
