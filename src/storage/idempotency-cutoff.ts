const day = 24 * 60 * 60 * 1000

/** A record made before this moment does not stand in the way of one that is made now. */
export function idempotencyCutoff(now: string): string {
  return new Date(Date.parse(now) - day).toISOString()
}
