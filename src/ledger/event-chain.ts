import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { eachEvent } from '../kernel/log/event-bytes'
import type { EventCheckpoint, EventLedger } from '../ports/event-ledger'
import type { Storage } from '../ports/storage/storage'
import { countOf, findBadEvent, flawOfCheckpoint, genesis, lastIdOf, signedBytes, toLink } from './checkpoint'

/**
 * Options of {@link createEventChain}. At least one of the two keys is required.
 *
 * @example
 * ```ts
 * const ledger = fileLedger('/mnt/audit/events.ledger')
 * const toVerify: EventChainOptions = { storage, ledger, publicKey: process.env['EVENT_PUBLIC_KEY'] ?? '' }
 * ```
 */
export interface EventChainOptions {
  /** The storage of the router, or another one with the same log. */
  readonly storage: Pick<Storage, 'eventPage'>
  /** Stores the checkpoints. */
  readonly ledger: EventLedger
  /** Ed25519 key, as PEM or key object; required for sealing. */
  readonly privateKey?: string | KeyObject
  /** Ed25519 key, as PEM or key object; derived from the private key when left out. */
  readonly publicKey?: string | KeyObject
  /**
   * Returns the current time.
   * @defaultValue the clock of the machine
   */
  readonly clock?: () => Date
}

/** The result of {@link EventChain.verify}: the log is intact, or the first invalid event. */
export type Verification =
  | { readonly intact: true; readonly events: number; readonly lastId: number }
  | {
      readonly intact: false
      /** The first event that was changed, removed or inserted; null if a checkpoint itself is invalid. */
      readonly firstBadId: number | null
      readonly reason: string
    }

/** Makes the event log tamper-evident. It runs separately from the router and does not slow down its writes. */
export interface EventChain {
  /**
   * Seals the events since the last checkpoint, and returns their number. Call it regularly: events are protected only after
   * they are sealed.
   *
   * @throws TypeError without a private key.
   */
  seal(): Promise<number>
  /**
   * Compares the log with the checkpoints.
   *
   * @param options.after skips the events up to this id, for example because you have removed them. It must be the id of the
   * last event of a checkpoint; otherwise the result is not intact.
   */
  verify(options?: { readonly after?: number }): Promise<Verification>
}

const pageSize = 500

/**
 * Creates a hash chain over the event log, with signed checkpoints in a ledger. The hash of an event covers its bytes and
 * the previous hash, so that every edit, removal, insertion and reordering is detected.
 *
 * @example
 * ```ts
 * const privateKey = process.env['EVENT_KEY'] ?? ''
 * const chain = createEventChain({ storage, ledger: fileLedger('/mnt/audit/events.ledger'), privateKey })
 * setInterval(() => void chain.seal().catch(console.error), 60_000).unref()
 * ```
 *
 * @throws TypeError when there is no key, or a key of another type than Ed25519.
 */
export function createEventChain(options: EventChainOptions): EventChain {
  const { storage, ledger, clock = () => new Date() } = options
  const privateKey = options.privateKey === undefined ? undefined : toKey(options.privateKey, createPrivateKey)
  const given = options.publicKey ?? privateKey
  if (given === undefined) throw new TypeError('createEventChain: option "privateKey" or "publicKey" must be given.')
  const publicKey = typeof given === 'object' && given.type === 'public' ? given : createPublicKey(given)
  for (const [option, key] of Object.entries({ privateKey, publicKey })) {
    if (key === undefined || key.asymmetricKeyType === 'ed25519') continue
    throw new TypeError(`createEventChain: option "${option}" must be an Ed25519 key.`)
  }

  return {
    async seal() {
      if (privateKey === undefined) throw new TypeError('createEventChain: sealing needs option "privateKey".')
      let last = await ledger.last()
      let sealed = 0
      for (;;) {
        const events = eachEvent(await storage.eventPage({}, { after: lastIdOf(last) }, pageSize))
        if (events.length === 0) return sealed
        const link = toLink(events, last?.hash ?? genesis)
        const content = { ...link, sealedAt: clock().toISOString() }
        const checkpoint = { ...content, signature: sign(null, signedBytes(content), privateKey).toString('base64') }
        if (!(await ledger.append(checkpoint))) return sealed
        sealed += events.length
        last = checkpoint
      }
    },
    async verify({ after = 0 } = {}) {
      let previous: EventCheckpoint | undefined
      let events = 0
      let isAfterKnown = after === 0
      for await (const checkpoint of ledger.read()) {
        const bad = flawOfCheckpoint(checkpoint, previous, publicKey)
        if (bad !== undefined) return { intact: false, firstBadId: null, reason: bad }
        if (lastIdOf(checkpoint) > after) {
          // Also detects an event inserted before the first one.
          const nothing = previous === undefined && after === 0
          const start = nothing ? Number.MIN_SAFE_INTEGER : Math.max(after, lastIdOf(previous))
          const found = await findBadEvent(checkpoint, start, storage)
          if (found !== undefined) return found
          events += countOf(checkpoint)
        }
        isAfterKnown ||= lastIdOf(checkpoint) === after
        previous = checkpoint
      }
      if (!isAfterKnown) return { intact: false, firstBadId: null, reason: `No checkpoint ends with event ${after}.` }
      return { intact: true, events, lastId: lastIdOf(previous) }
    },
  }
}

function toKey(key: string | KeyObject, create: (pem: string) => KeyObject): KeyObject {
  return typeof key === 'string' ? create(key) : key
}
