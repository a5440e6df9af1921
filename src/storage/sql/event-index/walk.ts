import { setImmediate } from 'node:timers/promises'
import type { EventCursor } from '../../../ports/storage/events'
import {
  addEncoded,
  addPosition,
  type Bitmap,
  countPositions,
  emptyBitmap,
  encodePositions,
  filterPositions,
  intersect,
  positionsOf,
} from './positions'
import { type IndexState, type PostingCache, windowSize } from './posting-cache'
import type { TermGroup } from './terms'

/** The maximum number of windows that are read with one query. */
const maxWindows = 16

/** A block in which all groups occur. */
export interface BlockHits {
  readonly count: number
  /** The ids of the events that match, in the order of the cursor. */
  ids(): number[]
  /** How many ids of the rarest group were compared with the others since the start of the walk. */
  readonly compared: number
  /** Where to continue after this block. */
  readonly resumeAt: EventCursor
}

/** Yields the sealed events that match all groups, block by block, starting next to the cursor. */
export async function* walkBlocks(
  cache: PostingCache,
  groups: readonly TermGroup[],
  cursor: EventCursor,
  { sealedTo, generation }: IndexState,
  blockSize: number,
): AsyncGenerator<BlockHits> {
  const lastSealed = Math.floor((sealedTo + 1) / blockSize) - 1
  const forward = 'after' in cursor
  const startId = forward ? cursor.after + 1 : Math.min(cursor.before - 1, sealedTo)
  if (startId > sealedTo || startId < 0) return
  const fits = (id: number) => (forward ? id >= startId : id <= startId)
  const start = Math.floor(startId / blockSize)
  const listed = new Map(groups.map((group) => [group, listedPositions(group, blockSize)]))
  let block = start
  let compared = 0
  for (let count = 1; block >= 0 && block <= lastSealed; count = Math.min(count * 4, maxWindows)) {
    // On SQLite a read does not yield to the event loop.
    if (count > 1) await setImmediate()
    const windows = windowsFrom(block, count, forward, Math.floor(lastSealed / windowSize))
    const lookup = await cache.read(groups, generation, windows, lastSealed)
    const [lowest = 0, highest = 0] = [windows[0], windows.at(-1)]
    const [low, high] = [lowest * windowSize, Math.min(lastSealed, highest * windowSize + windowSize - 1)]
    for (; block >= low && block <= high; block += forward ? 1 : -1) {
      const window = Math.floor(block / windowSize)
      if (!groups.every((group) => lookup.occursIn(group, window) || listed.get(group)?.windows.has(window))) {
        block = forward ? window * windowSize + windowSize - 1 : window * windowSize
        continue
      }
      const postings = groups.map((group) => [
        ...lookup.positions(group, block),
        ...(listed.get(group)?.byBlock.get(block) ?? []),
      ])
      const hits = hitsIn(postings, blockSize)
      if (hits === undefined) continue
      // A single group needs no comparison, unless its events had to be compared to find their ids.
      if (groups.length > 1 || groups[0]?.ids !== undefined) compared += hits.compared
      const first = block * blockSize
      const { bitmap } = hits
      if (block === start) filterPositions(bitmap, (position) => fits(first + position))
      yield {
        count: countPositions(bitmap),
        ids() {
          const ids = positionsOf(bitmap).map((position) => first + position)
          return forward ? ids : ids.reverse()
        },
        compared,
        resumeAt: forward ? { after: first + blockSize - 1 } : { before: first },
      }
    }
  }
}

/** The positions of the ids of a group, by block. */
function listedPositions({ ids = [] }: TermGroup, blockSize: number) {
  const bitmaps = new Map<number, Bitmap>()
  for (const id of ids) {
    const block = Math.floor(id / blockSize)
    const bitmap = bitmaps.get(block) ?? emptyBitmap(blockSize)
    addPosition(bitmap, id % blockSize)
    bitmaps.set(block, bitmap)
  }
  return {
    byBlock: new Map([...bitmaps].map(([block, bitmap]) => [block, [encodePositions(bitmap)]])),
    windows: new Set([...bitmaps.keys()].map((block) => Math.floor(block / windowSize))),
  }
}

/** The windows that start with that of the block, in ascending order. */
function windowsFrom(block: number, count: number, forward: boolean, last: number): number[] {
  const own = Math.floor(block / windowSize)
  const lowest = forward ? own : Math.max(0, own - count + 1)
  const highest = forward ? Math.min(last, own + count - 1) : own
  return Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index)
}

/** Undefined if a group does not occur. Starts with the shortest postings: they determine how many ids are compared. */
function hitsIn(postings: (readonly Uint8Array[])[], blockSize: number) {
  if (postings.some(({ length }) => length === 0)) return undefined
  const [rarest = [], ...others] = postings.sort((one, other) => bytesOf(one) - bytesOf(other))
  const bitmap = emptyBitmap(blockSize)
  for (const bytes of rarest) addEncoded(bitmap, bytes)
  const compared = countPositions(bitmap)
  for (const encoded of others) {
    const other = emptyBitmap(blockSize)
    for (const bytes of encoded) addEncoded(other, bytes)
    intersect(bitmap, other)
  }
  return { bitmap, compared }
}

function bytesOf(encoded: readonly Uint8Array[]): number {
  return encoded.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
