/** What we set of a connection of the driver better-sqlite3. */
export interface LockingConnection {
  exec(text: string): void
  pragma(text: string, options: { simple: true }): unknown
}

const longestPauseMs = 50
/** Whoever finds the lock held so soon after somebody else did waits for the same lock. */
const sameLockMs = 1_000

/**
 * Waits for a lock that another process holds. Nothing blocks the event loop: an attempt comes back at once, and the
 * pauses between the attempts grow. The patience counts from when the lock was first found held, for all who wait for it
 * together: whoever comes when it is used up makes one more attempt.
 */
export class LockWait {
  readonly #patienceMs: number
  #heldSince = 0
  #lastHeld = Number.NEGATIVE_INFINITY

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /** @param begun true from when the attempt has done what must not be repeated. */
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
 * Runs `use` so that a statement that finds a lock held fails at once; the host's driver would block the event loop,
 * for five seconds by default. What the host has set holds again afterwards.
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

/** A snapshot that is too old stays so, however long one waits. */
function isHeld(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY') && code !== 'SQLITE_BUSY_SNAPSHOT'
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
