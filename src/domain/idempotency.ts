/** How long an `Idempotency-Key` is valid for a retry (contract 2.4). */
const retentionMs = 24 * 60 * 60 * 1000

/** Records created before this time have expired. */
export function idempotencyCutoff(now: string): string {
  return new Date(Date.parse(now) - retentionMs).toISOString()
}
