import { diffArrays } from 'diff/lib/diff/array.js'

/** A piece of a comparison: `+` was added, `-` was removed. */
export interface Piece {
  readonly mark: ' ' | '+' | '-'
  readonly texts: readonly string[]
}

/** With more edits, everything is shown as removed and added: a comparison takes the square of them. */
const maxEditLength = 500

/** What was added and removed between two lists. */
export function compare(from: readonly string[], to: readonly string[]): Piece[] {
  const found = diffArrays([...from], [...to], { maxEditLength })
  if (found === undefined) return [{ mark: '-', texts: from } as const, { mark: '+', texts: to } as const]
  return found.map(({ value, added, removed }) => ({ mark: added ? '+' : removed ? '-' : ' ', texts: value }))
}

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|./gu) ?? []

/** The words that were added and removed. */
export const compareWords = (from: string, to: string): Piece[] => compare(wordsOf(from), wordsOf(to))
