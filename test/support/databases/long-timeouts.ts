/**
 * Longer than any wait in a test takes on a busy machine, and shorter than the time limit of Jest. It only limits how
 * long a test waits for something that never happens.
 */
export const longTimeoutMs = 10 * 60_000

/** A router with these limits never times out. A test of a timeout sets its own. */
export const longTimeoutLimits = { hookTimeoutMs: longTimeoutMs, streamTimeoutMs: longTimeoutMs }

/** The same for a storage. */
export const longTimeoutStorage = {
  acquireTimeoutMs: longTimeoutMs,
  lockTimeoutMs: longTimeoutMs,
  statementTimeoutMs: longTimeoutMs,
}
