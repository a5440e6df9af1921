import { addPosition, type Bitmap, emptyBitmap, encodePositions } from './positions'
import { type IndexedEvent, termsOf } from './terms'

/** The events of all projects and of none. */
export const everywhere = ''

/** The events of one project; without a project: those of none. */
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

/** What the index keeps about a block of events. */
export interface BlockSummary {
  /** Where each term occurs. */
  readonly postings: readonly { readonly term: string; readonly positions: Buffer }[]
  /** How often it occurs, in all and in each project. */
  readonly tallies: readonly Tally[]
}

/** Adds up tallies of blocks, in the order of the blocks. */
export class TallySum {
  #tallies = new Map<string, Tally>()

  add(tallies: readonly Tally[]): void {
    for (const { term, scope, total, lastId } of tallies) raise(this.#tallies, term, scope, lastId, total)
  }

  /** Takes what there is, when it is at least so much. */
  take(least = 0): Tally[] {
    if (this.#tallies.size < least) return []
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
      // A change request has few events, and nobody asks how many.
      if (!term.startsWith('request:')) {
        raise(tallies, term, everywhere, event.id)
        raise(tallies, term, scopeOf(event.project), event.id)
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

function raise(tallies: Map<string, Tally>, term: string, scope: string, lastId: number, total = 1): void {
  const key = `${term}\n${scope}`
  const known = tallies.get(key)
  if (known === undefined) tallies.set(key, { term, scope, total, lastId })
  else {
    known.total += total
    known.lastId = lastId
  }
}
