/**
 * Longer than whatever a test waits for takes, also on a machine that is busy with something else, and shorter than the
 * time limit of Jest: it only decides how long something is waited for that will never come.
 */
export const patienceMs = 10 * 60_000

/** With these a router never times out; a test of a timeout sets its own. */
export const patientLimits = { hookTimeoutMs: patienceMs, streamTimeoutMs: patienceMs }

/** The same of a storage. */
export const patientStorage = {
  acquireTimeoutMs: patienceMs,
  lockTimeoutMs: patienceMs,
  statementTimeoutMs: patienceMs,
}
