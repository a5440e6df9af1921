import type { KeyObject } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { aFunction, checkOptions, must, type OptionTable, optional } from '../check-options'
import { createEventChain } from '../ledger/event-chain'
import type { EventLedger } from '../ports/event-ledger'
import type { InspectionPart } from '../ports/storage/inspection'
import type { Storage } from '../ports/storage/storage'
import { Findings, type VerifyCode, type VerifyFinding } from './findings'
import { IdSet } from './id-set'
import { portReader } from './port-reader'
import { inspectionReader } from './reader'
import type { Verification } from './verification'
import { verifyChangeRequests } from './verify-change-requests'
import { verifyConsumers } from './verify-consumers'
import { type ScannedLog, verifyEvents } from './verify-events'

/** How far {@link verifyStorage} is. */
export interface VerifyProgress {
  /** What it reads now. */
  readonly part: InspectionPart | 'ledger'
  /** How many of these it has read. */
  readonly done: number
}

/** A ledger of the event log, for {@link verifyStorage}. */
export interface VerifyLedger {
  /** Where the checkpoints are. */
  readonly ledger: EventLedger
  /** The Ed25519 key that verifies them, as PEM or key object. */
  readonly publicKey: string | KeyObject
  /** The id of the last event that you have removed, as in {@link EventChain.verify}. */
  readonly after?: number
}

/** Options of {@link verifyStorage}. */
export interface VerifyOptions {
  /** Without it, the bodies of events are compared only with their columns. */
  readonly ledger?: VerifyLedger
  /** Ends the check: the call rejects with its reason. */
  readonly signal?: AbortSignal
  /** Called after each page. */
  readonly onProgress?: (progress: VerifyProgress) => void
}

/** The result of {@link verifyStorage}. The storage is consistent if `total` is 0. */
export interface VerifyResult {
  /** How many of each were read. */
  readonly checked: { readonly changeRequests: number; readonly events: number; readonly consumers: number }
  /** What could not be compared, which is no finding. */
  readonly skipped: {
    /** Change requests that are older than the oldest event. */
    readonly older: number
    /** Change requests with approvals that were removed without an event. */
    readonly withoutEvent: number
    /** Events that the host app recorded, or its flag gateway returned: no state follows from them. */
    readonly recorded: number
    /** Comparisons that were left out, because what they need cannot be read. */
    readonly codes: readonly VerifyCode[]
  }
  /** At most 1,000. */
  readonly findings: readonly VerifyFinding[]
  /** The number of all findings. */
  readonly total: number
}

const optionTable: OptionTable<VerifyOptions> = {
  ledger: optional(must(isObject, 'an object with ledger and publicKey')),
  signal: optional(must((value) => isObject(value) && 'throwIfAborted' in value, 'an AbortSignal')),
  onProgress: optional(aFunction()),
}

/** The comparisons that need a part. */
const codesOf: { readonly [Part in InspectionPart]: readonly VerifyCode[] } = {
  changeRequests: ['state', 'columns', 'votes', 'open', 'documents'],
  events: ['events', 'ledger'],
  counts: ['counts'],
  consumers: ['consumers'],
}

/**
 * Reads a storage, and returns what does not follow from what else is stored: after a restore, after an upgrade, or regularly. It
 * never writes. It works next to a running app, on a standby and on a copy. `docs/operations.md` explains each code. It rejects
 * with the error of the storage if that cannot be read, and immediately if the ledger has no checkpoint.
 *
 * @throws TypeError for an unknown or invalid option, and for a key of another type than Ed25519
 *
 * @example
 * ```ts
 * const { findings } = await verifyStorage(storage)
 * for (const { code, id, expected, found } of findings) console.error(code, id, expected, found)
 * ```
 */
export async function verifyStorage(storage: Storage, options: VerifyOptions = {}): Promise<VerifyResult> {
  checkOptions('verifyStorage', options, optionTable)
  const { signal, onProgress } = options
  const { inspect } = storage
  const findings = new Findings()
  const verification: Verification = {
    ...{ storage, findings },
    reader: inspect === undefined ? portReader(storage) : inspectionReader(inspect),
    checked: { changeRequests: 0, events: 0, consumers: 0 },
    skipped: { older: 0, withoutEvent: 0, recorded: 0 },
    codes: new Set<VerifyCode>(inspect === undefined ? ['columns', 'documents', 'schema'] : []),
    async pause(part, done) {
      onProgress?.({ part, done })
      signal?.throwIfAborted()
      // On SQLite, a read does not yield to the event loop.
      await setImmediate()
    },
  }
  signal?.throwIfAborted()
  const verifyLedger = options.ledger && (await openLedger(storage, options.ledger))
  const isReadable = await verifySchema(verification)
  const newestId = isReadable('counts') ? (await storage.eventHead({})).lastId : Number.MAX_SAFE_INTEGER
  const log = isReadable('events') ? await verifyEvents(verification, newestId) : nothing
  if (isReadable('changeRequests')) await verifyChangeRequests(verification, log)
  if (isReadable('consumers')) await verifyConsumers(verification)
  if (isReadable('events')) await verifyLedger?.(verification)
  const { checked, skipped, codes } = verification
  return { checked, skipped: { ...skipped, codes: [...codes] }, findings: findings.list, total: findings.total }
}

const nothing: ScannedLog = { oldest: null, created: new IdSet(), damaged: new Set() }

/** @returns whether a part can be read */
async function verifySchema({ storage, findings, codes }: Verification): Promise<(part: InspectionPart) => boolean> {
  const unreadable = new Set<InspectionPart>()
  for (const { name, parts } of (await storage.inspect?.missing()) ?? []) {
    findings.add('schema', null, name, 'missing')
    for (const part of parts) unreadable.add(part)
  }
  for (const part of unreadable) for (const code of codesOf[part]) codes.add(code)
  return (part) => !unreadable.has(part)
}

/** Before the log is read, which can take minutes: a ledger without a checkpoint is probably a wrong path. */
async function openLedger(storage: Storage, { ledger, publicKey, after = 0 }: VerifyLedger) {
  const chain = createEventChain({ storage, ledger, publicKey })
  if ((await ledger.last()) === undefined) throw new Error('The ledger has no checkpoint.')
  return async ({ findings, pause }: Verification): Promise<void> => {
    const verified = await chain.verify({ after })
    if (!verified.intact) findings.add('ledger', verified.firstBadId, 'the events that were sealed', verified.reason)
    await pause('ledger', verified.intact ? verified.events : 0)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
