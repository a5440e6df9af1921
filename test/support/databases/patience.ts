/**
 * Longer than whatever a test waits for takes, also on a machine that is busy with something else, and shorter than the
 * time limit of Jest: it only decides how long something is waited for that will never come.
 */
export const patienceMs = 10 * 60_000

/** With these a router gives nobody up; a test that wants it to says how soon. */
export const patientLimits = { hookTimeoutMs: patienceMs, streamTimeoutMs: patienceMs }

/** The same of a storage. */
export const patientStorage = {
  acquireTimeoutMs: patienceMs,
  lockTimeoutMs: patienceMs,
  statementTimeoutMs: patienceMs,
}
