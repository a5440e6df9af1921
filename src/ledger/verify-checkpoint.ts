import { type KeyObject, verify } from 'node:crypto'
import { eachEvent, idOf } from '../kernel/events/event-bytes'
import type { EventCheckpoint } from '../ports/event-ledger'
import type { Storage } from '../ports/storage/storage'
import { genesis, hashAt, idsOf, lastIdOf, toLink } from './chain-link'

/** The first bad event of a log. */
interface BadEvent {
  readonly intact: false
  readonly firstBadId: number
  readonly reason: string
}

/** Returns the first event that differs from the checkpoint; undefined if all match. */
export async function findBadEvent(
  checkpoint: EventCheckpoint,
  after: number,
  storage: Pick<Storage, 'eventPage'>,
): Promise<BadEvent | undefined> {
  const lastId = lastIdOf(checkpoint)
  const sealed = idsOf(checkpoint)
  // Read one more event than was sealed, to detect an inserted one.
  const page = await storage.eventPage({}, { after }, sealed.length + 1)
  const events = eachEvent(page).filter((event) => idOf(event) <= lastId)
  const link = toLink(events, checkpoint.previous)
  const found = events.map(idOf)
  const position = sealed.findIndex(
    (id, index) => found[index] !== id || hashAt(link, index) !== hashAt(checkpoint, index),
  )
  if (position < 0) {
    const extra = found[sealed.length]
    return extra === undefined ? undefined : bad(extra, 'the event was inserted: it was never sealed')
  }
  const [expected, current] = [sealed[position] ?? 0, found[position]]
  if (current === expected) return bad(expected, 'the event was changed after it was sealed')
  if (current !== undefined && current < expected) return bad(current, 'the event was inserted: it was never sealed')
  return bad(expected, 'the event was removed')
}

function bad(firstBadId: number, reason: string): BadEvent {
  return { intact: false, firstBadId, reason }
}

/** Returns why a checkpoint is invalid; undefined if it is valid. */
export function flawOfCheckpoint(
  checkpoint: EventCheckpoint,
  before: EventCheckpoint | undefined,
  publicKey: KeyObject,
) {
  const { signature, ...content } = checkpoint
  const name = `The checkpoint that ends with event ${lastIdOf(checkpoint)}`
  if (!verify(null, signedBytes(content), publicKey, Buffer.from(signature, 'base64')))
    return `${name} has no valid signature of the key.`
  if (checkpoint.previous !== (before?.hash ?? genesis)) return `${name} does not follow the previous checkpoint.`
  return undefined
}

/** The bytes that the signature covers, in a fixed order. */
export function signedBytes({ ids, hashes, hash, previous, sealedAt }: Omit<EventCheckpoint, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify([ids, hashes, hash, previous, sealedAt]))
}
