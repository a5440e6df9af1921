import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idOf, separator, withoutGroups } from '../../../kernel/log/event-bytes'
import { findBadEvent, flawOfCheckpoint, lastIdOf } from '../../../ledger/checkpoint'
import { fileLedger } from '../../../ledger/file-ledger'
import type { EventCheckpoint } from '../../../ports/event-ledger'
import { UsageError } from '../../command'
import { eventsBetween } from '../export/log'
import { readEvents } from './lines'
import type { Source } from './source'

/** The log or the ledger was changed: the command exits with 6. */
export class LedgerMismatch extends Error {}

export interface ComparedLedger {
  readonly last: EventCheckpoint
  /** The number of events of the folder that are newer than the last checkpoint. */
  readonly unsealed: number
  /** The number of events of the folder whose checkpoint has events that were removed from the log. */
  readonly removed: number
}

/** @throws UsageError if the file has no Ed25519 key */
export function readPublicKey(path: string): KeyObject {
  const key = createPublicKey(readFileSync(path, 'utf8'))
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new UsageError('--public-key must be the file of an Ed25519 key.')
}

/**
 * Verifies all signatures of a ledger, and compares the events of the folder with it. The chain needs all events of the log, so
 * the other events of each checkpoint are read, too. @throws LedgerMismatch
 */
export async function compareLedger(
  source: Source,
  folder: string,
  { path, publicKey }: { readonly path: string; readonly publicKey: KeyObject },
): Promise<ComparedLedger> {
  const whole: Source = { ...source, filter: {} }
  const first = await source.client.searchEvents({}, { after: 0, limit: 1 }, { signal: source.signal })
  const oldest = first.body.events[0]?.id ?? 0
  const events = readEvents(join(folder, 'events.ndjson'))
  let next = await events.next()
  let [last, removed]: [EventCheckpoint | undefined, number] = [undefined, 0]
  for await (const checkpoint of fileLedger(path).read()) {
    const flaw = flawOfCheckpoint(checkpoint, last, publicKey)
    if (flaw !== undefined) throw new LedgerMismatch(flaw)
    const [lastId, before] = [lastIdOf(checkpoint), lastIdOf(last)]
    const own = new Map<number, Buffer>()
    for (; !next.done && next.value.event.id <= lastId; next = await events.next()) {
      own.set(next.value.event.id, next.value.bytes)
    }
    const isWhole = oldest <= (checkpoint.ids[0]?.[0] ?? 0)
    if (own.size > 0 && isWhole) await compareEvents(whole, checkpoint, before, own)
    if (!isWhole) removed += own.size
    last = checkpoint
  }
  if (last === undefined) throw new Error(`The ledger file ${path} has no checkpoint.`)
  let unsealed = 0
  for (; !next.done; next = await events.next()) unsealed += 1
  return { last, unsealed, removed }
}

async function compareEvents(
  source: Source,
  checkpoint: EventCheckpoint,
  after: number,
  own: ReadonlyMap<number, Buffer>,
): Promise<void> {
  const lastId = lastIdOf(checkpoint)
  const pieces: Uint8Array[] = []
  const found = new Set<number>()
  for await (const { bytes } of eventsBetween(source, after + 1, lastId)) {
    const event = bytes.subarray(0, -1)
    const id = idOf(event)
    if (own.get(id)?.equals(event)) found.add(id)
    pieces.push(...(pieces.length > 0 ? [separator] : []), withoutGroups(event))
  }
  const page = { json: Buffer.concat(pieces), count: pieces.length, searched: pieces.length, lastId }
  const bad = await findBadEvent(checkpoint, after, { eventPage: async () => page })
  if (bad !== undefined) throw new LedgerMismatch(`Event ${bad.firstBadId}: ${bad.reason}.`)
  const other = [...own.keys()].find((id) => !found.has(id))
  if (other !== undefined) throw new LedgerMismatch(`Event ${other}: it is not the event of the log.`)
}
