import type { TermGroup, TermRange } from './terms'

/** How far the log is indexed. */
export interface IndexState {
  /** Events up to this id are in the index. Later events are not. */
  readonly sealedTo: number
  /** A recount increases it. Postings of earlier generations are invalid. */
  readonly generation: number
  /** The last block of the index; -1 before the first. */
  readonly block: number
  /**
   * A random value, written with that block. A database that was restored to an earlier state adds blocks again, with other
   * fingerprints. If the fingerprint is unchanged, all blocks up to this one are unchanged.
   */
  readonly fingerprint: string
}

/** The positions of a term, or of the terms of a range, in a block. */
export interface Posting {
  /** The term, or the {@link keyOf} its range. */
  readonly key: string
  readonly block: number
  readonly positions: Uint8Array
}

/** The postings to read from a range of blocks, both bounds included. */
export interface PostingQuery {
  readonly generation: number
  readonly terms: readonly string[]
  readonly ranges: readonly TermRange[]
  readonly first: number
  readonly last: number
}

/** The postings of one key in one window. */
interface Unit {
  readonly byBlock: Map<number, Uint8Array[]>
  /** The last sealed block at the time when they were read. */
  readonly upTo: number
  bytes: number
}

/** Blocks that are read together. */
export const windowSize = 64

const maxBytes = 16 << 20
/** The memory of a unit in addition to its positions. */
const unitBytes = 200
const postingBytes = 100

/** The postings of some groups in some windows. */
export interface PostingLookup {
  /** Whether the group occurs in the window at all. */
  occursIn(group: TermGroup, window: number): boolean
  /** The encoded positions of the group in a block. */
  positions(group: TermGroup, block: number): readonly Uint8Array[]
}

/** Caches postings of sealed blocks, which never change, up to `maxBytes`; the least recently used are dropped first. */
export class PostingCache {
  readonly #units = new Map<string, Unit>()
  readonly #load: (query: PostingQuery) => Promise<readonly Posting[]>
  #bytes = 0

  constructor(load: (query: PostingQuery) => Promise<readonly Posting[]>) {
    this.#load = load
  }

  /** Returns the postings of the groups in adjacent windows, in ascending order. Missing ones are read with one query. */
  async read(
    groups: readonly TermGroup[],
    generation: number,
    windows: readonly number[],
    lastSealed: number,
  ): Promise<PostingLookup> {
    const keys = [...new Set(groups.flatMap(keysOf))]
    const nameOf = (key: string, window: number) => `${generation} ${window} ${key}`
    const isCached = (key: string) =>
      windows.every((window) => (this.#units.get(nameOf(key, window))?.upTo ?? -1) >= lastOf(window, lastSealed))
    const missing = new Set(keys.filter((key) => !isCached(key)))
    const found = new Map<string, Unit>()
    for (const key of keys) {
      if (missing.has(key)) continue
      for (const window of windows) found.set(nameOf(key, window), this.#use(nameOf(key, window)))
    }
    if (missing.size > 0) {
      const [first = 0, last = first] = [windows[0], windows.at(-1)]
      const postings = await this.#load({
        generation,
        terms: groups.flatMap(({ terms }) => terms).filter((key) => missing.has(key)),
        ranges: groups.flatMap(({ range }) => (range !== undefined && missing.has(keyOf(range)) ? range : [])),
        first: first * windowSize,
        last: lastOf(last, lastSealed),
      })
      for (const key of missing) {
        for (const window of windows) found.set(nameOf(key, window), emptyUnit(lastOf(window, lastSealed)))
      }
      for (const { key, block, positions } of postings) {
        const unit = found.get(nameOf(key, Math.floor(block / windowSize)))
        if (unit !== undefined) add(unit, block, positions)
      }
      for (const key of missing) for (const window of windows) this.#store(nameOf(key, window), found)
    }
    const unitOf = (key: string, window: number) => found.get(nameOf(key, window))
    return {
      occursIn: (group, window) => keysOf(group).some((key) => (unitOf(key, window)?.byBlock.size ?? 0) > 0),
      positions(group, block) {
        const window = Math.floor(block / windowSize)
        return keysOf(group).flatMap((key) => unitOf(key, window)?.byBlock.get(block) ?? [])
      },
    }
  }

  /** Returns a unit and marks it as the most recently used one. */
  #use(name: string): Unit {
    const unit = this.#units.get(name) as Unit
    this.#units.delete(name)
    this.#units.set(name, unit)
    return unit
  }

  #store(name: string, found: ReadonlyMap<string, Unit>): void {
    this.#remove(name)
    const unit = found.get(name) as Unit
    this.#units.set(name, unit)
    this.#bytes += unit.bytes
    for (const oldest of this.#units.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#remove(oldest)
    }
  }

  #remove(name: string): void {
    this.#bytes -= this.#units.get(name)?.bytes ?? 0
    this.#units.delete(name)
  }
}

/** The name of a range. */
export function keyOf({ first, last }: TermRange): string {
  return `${first}..${last}`
}

function keysOf({ terms, range }: TermGroup): readonly string[] {
  return range === undefined ? terms : [keyOf(range)]
}

function lastOf(window: number, lastSealed: number): number {
  return Math.min(lastSealed, window * windowSize + windowSize - 1)
}

function emptyUnit(upTo: number): Unit {
  return { byBlock: new Map(), upTo, bytes: unitBytes }
}

function add(unit: Unit, block: number, positions: Uint8Array): void {
  const known = unit.byBlock.get(block)
  if (known === undefined) unit.byBlock.set(block, [positions])
  else known.push(positions)
  unit.bytes += positions.byteLength + postingBytes
}
