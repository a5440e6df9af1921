/** A signed link of the hash chain, which seals a range of the event log. It is plain JSON. */
export interface EventCheckpoint {
  /** The ids of the sealed events, oldest first, as ranges without gaps: `[[1, 500], [502, 640]]`. */
  readonly ids: readonly (readonly [first: number, last: number])[]
  /** The first 16 hexadecimal digits of the chain's hash after each event, in the order of the ids. */
  readonly hashes: string
  /** The chain's hash after the last of these events: SHA-256, 64 hexadecimal digits. */
  readonly hash: string
  /** The `hash` of the previous checkpoint; 64 zeros for the first one. */
  readonly previous: string
  /** When it was sealed: UTC, ISO 8601 with milliseconds. */
  readonly sealedAt: string
  /** Ed25519 signature of all of the above, base64. */
  readonly signature: string
}

/**
 * Stores the checkpoints. Anyone who can change the log must not be able to change the checkpoints: use a file on another
 * machine, an append-only bucket, or another database.
 *
 * @example
 * ```ts
 * const checkpoints: EventCheckpoint[] = []
 * const ledger: EventLedger = {
 *   last: async () => checkpoints.at(-1),
 *   read: () => checkpoints,
 *   append: async (checkpoint) => {
 *     const before = checkpoints.at(-1)
 *     if (before !== undefined && before.hash !== checkpoint.previous) return false
 *     return checkpoints.push(checkpoint) > 0
 *   },
 * }
 * ```
 */
export interface EventLedger {
  /** The newest checkpoint; undefined if there is none. */
  last(): Promise<EventCheckpoint | undefined>
  /** All checkpoints, oldest first. */
  read(): AsyncIterable<EventCheckpoint> | Iterable<EventCheckpoint>
  /**
   * Appends a checkpoint. Returns `false`, and appends nothing, unless the newest checkpoint is the one that
   * `checkpoint.previous` names: of two processes that seal concurrently, only one can append.
   */
  append(checkpoint: EventCheckpoint): Promise<boolean>
}
