import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type BlockSummary, summarizeBlock } from './block-summary'
import type { IndexState } from './posting-cache'
import type { IndexedEvent } from './terms'

/** The state of the index, with the first and the last id of the log. */
export interface LogState extends IndexState {
  readonly firstId: number
  readonly lastId: number
}

/** A part of the index, ready to be written. */
export interface BlockRows extends BlockSummary {
  readonly block: number
  /** Absent if these rows are not a block. */
  readonly fingerprint?: string
}

export interface Seal extends BlockRows {
  readonly fingerprint: string
  /** The index before the block is added. */
  readonly before: IndexState
  readonly sealedTo: number
  /** The newest event of the block. If it has changed since it was read, the database was restored. */
  readonly newest: Pick<IndexedEvent, 'id' | 'createdAt'> | undefined
}

export interface SealStatements {
  logState(): Promise<LogState>
  /** The events from the first id to the last one, both included, in order. */
  indexedEvents(first: number, last: number): Promise<IndexedEvent[]>
  /** Adds a block in one transaction; does nothing when another process was faster. */
  seal(seal: Seal): Promise<void>
}

/** Events per block. A block has a few hundred postings, and an unsealed block can still be searched event by event. */
export const defaultBlockSize = 2_048

/**
 * Adds complete blocks to the index, in the background. All events of a complete block are committed and never change. Every
 * process does this after its own writes; the first one wins.
 */
export class Sealer {
  readonly #statements: SealStatements
  readonly #blockSize: number
  /** The number of events since the last check; unknown at the start. */
  #unsealed = Number.POSITIVE_INFINITY
  #running: Promise<void> | undefined

  constructor(statements: SealStatements, blockSize: number) {
    this.#statements = statements
    this.#blockSize = blockSize
  }

  /** Called after events were committed. */
  appended(count: number): void {
    this.#unsealed += count
    if (this.#unsealed < this.#blockSize || this.#running !== undefined) return
    this.#unsealed = 0
    // After a failure, the next attempt follows after another full block of events. Until then, searches read more events.
    this.#running = this.#seal()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined
        // Events that were committed after the last check may have completed a block.
        this.appended(0)
      })
  }

  /** Resolves when no block is being added. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #seal(): Promise<void> {
    for (;;) {
      const state = await this.#statements.logState()
      const next = nextBlock(state, this.#blockSize)
      if (next === undefined) {
        this.#unsealed += Math.max(0, state.lastId - state.sealedTo)
        return
      }
      const { block, first, last } = next
      // On SQLite no statement yields to the event loop, and each step takes as long as many requests.
      await setImmediate()
      const events = await this.#statements.indexedEvents(first, last)
      await setImmediate()
      const summary = summarizeBlock(block, this.#blockSize, events)
      await setImmediate()
      const fingerprint = newFingerprint()
      await this.#statements.seal({
        block,
        fingerprint,
        before: state,
        sealedTo: last,
        newest: events.at(-1),
        ...summary,
      })
    }
  }
}

export function newFingerprint(): string {
  return randomBytes(12).toString('base64url')
}

/** The number of tallies that a recount collects before it writes them, so that each is written once for many blocks. */
export const maxTallies = 20_000

/** Returns the next complete block, if there is one. */
export function nextBlock(
  { sealedTo, firstId, lastId }: Pick<LogState, 'sealedTo' | 'firstId' | 'lastId'>,
  blockSize: number,
) {
  const block = Math.floor(Math.max(sealedTo + 1, firstId) / blockSize)
  const first = block * blockSize
  const last = first + blockSize - 1
  return lastId < last ? undefined : { block, first, last }
}
