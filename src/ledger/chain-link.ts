import { createHash } from 'node:crypto'
import { idOf } from '../kernel/log/event-bytes'
import type { EventCheckpoint } from '../ports/event-ledger'

/** The hash before the first event. */
export const genesis = '0'.repeat(64)

/** How many digits of the hash after each event a checkpoint has. */
export const hashDigits = 16

/** A checkpoint without time and signature. */
export type Link = Pick<EventCheckpoint, 'ids' | 'hashes' | 'hash' | 'previous'>

/** Continues the chain with these events. */
export function toLink(events: readonly Uint8Array[], previous: string): Link {
  const ids: [number, number][] = []
  const hashes: string[] = []
  let hash = previous
  for (const event of events) {
    const id = idOf(event)
    const run = ids.at(-1)
    if (run !== undefined && run[1] === id - 1) run[1] = id
    else ids.push([id, id])
    hash = createHash('sha256').update(hash, 'hex').update(event).digest('hex')
    hashes.push(hash.slice(0, hashDigits))
  }
  return { ids, hashes: hashes.join(''), hash, previous }
}

/** The truncated hash after the event at a position. */
export function hashAt({ hashes }: Pick<EventCheckpoint, 'hashes'>, index: number): string {
  return hashes.slice(index * hashDigits, (index + 1) * hashDigits)
}

export function idsOf({ ids }: EventCheckpoint): number[] {
  return ids.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
}

export function countOf({ ids }: EventCheckpoint): number {
  return ids.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** 0 when there is no checkpoint. */
export function lastIdOf(checkpoint: EventCheckpoint | undefined): number {
  return checkpoint?.ids.at(-1)?.[1] ?? 0
}
