/**
 * What seals a part of the event log: a link of the chain, signed. All of it is plain JSON.
 *
 * @example
 * ```ts
 * const lines: string[] = []
 * const keep = (checkpoint: EventCheckpoint) => lines.push(JSON.stringify(checkpoint))
 * ```
 */
export interface EventCheckpoint {
  /** The ids of the sealed events, oldest first, as runs of ids without a gap: `[[1, 500], [502, 640]]`. */
  readonly ids: readonly (readonly [first: number, last: number])[]
  /** The beginning of the chain's hash after each event, 16 hexadecimal digits each, in the order of the ids. */
  readonly hashes: string
  /** SHA-256 of the chain after the last of these events, 64 hexadecimal digits. */
  readonly hash: string
  /** The `hash` of the checkpoint before this one; of the first, 64 zeros. */
  readonly previous: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly sealedAt: string
  /** Ed25519 over all of the above, base64. */
  readonly signature: string
}

/**
 * Where checkpoints are kept: a place that whoever can alter the log cannot alter as well, such as a file on another
 * machine, a bucket that takes new objects only, or another database.
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
  /** The checkpoint that was appended last; undefined when there is none. */
  last(): Promise<EventCheckpoint | undefined>
  /** All checkpoints, oldest first. */
  read(): AsyncIterable<EventCheckpoint> | Iterable<EventCheckpoint>
  /**
   * Keeps one more checkpoint. `false` when another one was appended since `checkpoint.previous` was the last: two
   * processes that seal at the same time must not both go on from there.
   */
  append(checkpoint: EventCheckpoint): Promise<boolean>
}
