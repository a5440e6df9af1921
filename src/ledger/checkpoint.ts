import { createHash, type KeyObject, verify } from 'node:crypto'
import { eachEvent, idOf } from '../kernel/log/event-bytes'
import type { EventCheckpoint } from '../ports/event-ledger'
import type { Storage } from '../ports/storage/storage'

/** Returns the first event that differs from the checkpoint; undefined if all match. */
export async function findBadEvent(checkpoint: EventCheckpoint, after: number, storage: Pick<Storage, 'eventPage'>) {
  const lastId = lastIdOf(checkpoint)
  const sealed = idsOf(checkpoint)
  const page = await storage.eventPage({}, { after }, sealed.length)
  const events = eachEvent(page).filter((event) => idOf(event) <= lastId)
  const link = toLink(events, checkpoint.previous)
  const found = events.map(idOf)
  const position = sealed.findIndex(
    (id, index) => found[index] !== id || hashAt(link, index) !== hashAt(checkpoint, index),
  )
  // The hash after each event is stored truncated, except that after the last one, which all events determine.
  if (position < 0) return link.hash === checkpoint.hash ? undefined : bad(lastId, changed)
  const [expected, current] = [sealed[position] ?? 0, found[position]]
  if (current === expected) return bad(expected, changed)
  if (current !== undefined && current < expected) return bad(current, 'the event was inserted: it was never sealed')
  return bad(expected, 'the event was removed')
}

const changed = 'the event was changed after it was sealed'

function bad(firstBadId: number, reason: string) {
  return { intact: false, firstBadId, reason } as const
}

/** Returns why a checkpoint is invalid; undefined if it is valid. Its events are compared by {@link findBadEvent}. */
export function flawOfCheckpoint(
  checkpoint: EventCheckpoint,
  before: EventCheckpoint | undefined,
  publicKey: KeyObject,
): string | undefined {
  const flaw = flawOfSignature(checkpoint, lastIdOf(before), publicKey)
  if (flaw !== undefined) return flaw
  if (checkpoint.previous !== (before?.hash ?? genesis))
    return `${nameOf(checkpoint)} does not follow the previous checkpoint.`
  return isConsistent(checkpoint, lastIdOf(before)) ? undefined : `${nameOf(checkpoint)} contradicts itself.`
}

/** The same for a checkpoint alone, without the one before it. */
export function flawOfSignature(value: unknown, lastIdBefore: number, publicKey: KeyObject): string | undefined {
  if (!isCheckpoint(value)) return `The checkpoint after event ${lastIdBefore} is malformed.`
  const { signature, ...content } = value
  const isSigned = verify(null, signedBytes(content), publicKey, Buffer.from(signature, 'base64'))
  return isSigned ? undefined : `${nameOf(value)} has no valid signature of the key.`
}

function nameOf(checkpoint: EventCheckpoint): string {
  return `The checkpoint that ends with event ${lastIdOf(checkpoint)}`
}

/** The ledger of the host app returned it, so it can be anything. */
function isCheckpoint(value: unknown): value is EventCheckpoint {
  if (typeof value !== 'object' || value === null) return false
  const { ids, hashes, hash, previous, sealedAt, signature } = value as Partial<EventCheckpoint>
  const isRange = (range: unknown) => Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger)
  const texts = [hashes, hash, previous, sealedAt, signature]
  return Array.isArray(ids) && ids.every(isRange) && texts.every((text) => typeof text === 'string')
}

/** Its ids ascend, each has a hash, and the last of these is the beginning of `hash`. */
function isConsistent(checkpoint: EventCheckpoint, lastIdBefore: number): boolean {
  const { ids, hashes, hash } = checkpoint
  const ascends = ids.every(([first, last], index) => first > (ids[index - 1]?.[1] ?? lastIdBefore) && last >= first)
  const count = countOf(checkpoint)
  const hasHashes = count > 0 && hashes.length === count * hashDigits && /^[0-9a-f]{64}$/.test(hash)
  return ascends && hasHashes && hashAt(checkpoint, count - 1) === hash.slice(0, hashDigits)
}

/** The bytes that the signature covers, in a fixed order. */
export function signedBytes({ ids, hashes, hash, previous, sealedAt }: Omit<EventCheckpoint, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify([ids, hashes, hash, previous, sealedAt]))
}

/** The hash before the first event. */
export const genesis = '0'.repeat(64)

/** How many digits of the hash after each event a checkpoint has. */
export const hashDigits = 16

/** A checkpoint without time and signature. */
export type Link = Pick<EventCheckpoint, 'ids' | 'hashes' | 'hash' | 'previous'>

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
