import { addPosition, type Bitmap, emptyBitmap, encodePositions } from './positions'
import { type IndexedEvent, termsOf } from './terms'

/** The scope of all events, with and without a project. */
export const everywhere = ''

/** The scope of the events of one project, or of the events without a project. */
export function scopeOf(project: string | null): string {
  return `/${project ?? ''}`
}

export interface Tally {
  readonly term: string
  /** {@link everywhere}, or {@link scopeOf} a project. */
  readonly scope: string
  total: number
  lastId: number
}

/** The index entries of a block of events. */
export interface BlockSummary {
  /** Where each term occurs. */
  readonly postings: readonly { readonly term: string; readonly positions: Buffer }[]
  /** How often each term occurs, in total and per project. */
  readonly tallies: readonly Tally[]
}

/** Adds up tallies of blocks, in the order of the blocks. */
export class TallySum {
  #tallies = new Map<string, Tally>()

  add(tallies: readonly Tally[]): void {
    for (const { term, scope, total, lastId } of tallies) increment(this.#tallies, term, scope, lastId, total)
  }

  /** Removes and returns the tallies, if there are at least `minCount`. */
  take(minCount = 0): Tally[] {
    if (this.#tallies.size < minCount) return []
    const taken = [...this.#tallies.values()]
    this.#tallies = new Map()
    return taken
  }
}

/** Summarizes the events of a block, in the order of their ids. */
export function summarizeBlock(block: number, blockSize: number, events: readonly IndexedEvent[]): BlockSummary {
  const bitmaps = new Map<string, Bitmap>()
  const tallies = new Map<string, Tally>()
  for (const event of events) {
    for (const term of termsOf(event)) {
      // A change request has few events, and their number is never requested.
      if (!term.startsWith('request:')) {
        increment(tallies, term, everywhere, event.id)
        increment(tallies, term, scopeOf(event.project), event.id)
      }
      const bitmap = bitmaps.get(term) ?? emptyBitmap(blockSize)
      addPosition(bitmap, event.id - block * blockSize)
      bitmaps.set(term, bitmap)
    }
  }
  return {
    postings: [...bitmaps].map(([term, bitmap]) => ({ term, positions: encodePositions(bitmap) })),
    tallies: [...tallies.values()],
  }
}

function increment(tallies: Map<string, Tally>, term: string, scope: string, lastId: number, total = 1): void {
  const key = `${term}\n${scope}`
  const known = tallies.get(key)
  if (known === undefined) tallies.set(key, { term, scope, total, lastId })
  else {
    known.total += total
    known.lastId = lastId
  }
}
