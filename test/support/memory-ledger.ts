import type { EventCheckpoint, EventLedger } from '../../src'

/** A ledger in memory; `checkpoints` can be altered. */
export function memoryLedger(
  checkpoints: EventCheckpoint[] = [],
): EventLedger & { readonly checkpoints: EventCheckpoint[] } {
  return {
    checkpoints,
    last: async () => checkpoints.at(-1),
    read: () => checkpoints,
    async append(checkpoint) {
      if ((checkpoints.at(-1)?.hash ?? '0'.repeat(64)) !== checkpoint.previous) return false
      return checkpoints.push(checkpoint) > 0
    },
  }
}
