/** What {@link verifyStorage} compares; `docs/operations.md` has a sentence for each. */
export type VerifyCode =
  | 'state'
  | 'columns'
  | 'votes'
  | 'open'
  | 'counts'
  | 'events'
  | 'consumers'
  | 'documents'
  | 'ledger'
  | 'schema'

/** Something that is stored, and does not follow from what else is stored. */
export interface VerifyFinding {
  /** Which comparison failed. */
  readonly code: VerifyCode
  /** The id of the change request or event, or the name of the consumer; null for counts and tables. */
  readonly id: number | string | null
  /** What must be stored, at most 200 characters. */
  readonly expected: string
  /** What is stored, at most 200 characters. */
  readonly found: string
}

/** Findings beyond this number are only counted. */
export const maxFindings = 1_000

const maxLength = 200

export class Findings {
  readonly list: VerifyFinding[] = []
  total = 0

  add(code: VerifyCode, id: VerifyFinding['id'], expected: string, found: string): void {
    this.total += 1
    if (this.list.length >= maxFindings) return
    this.list.push({ code, id, expected: expected.slice(0, maxLength), found: found.slice(0, maxLength) })
  }

  /** One finding that names all values that differ. */
  addDifferences(code: VerifyCode, id: VerifyFinding['id'], differences: readonly Difference[]): void {
    if (differences.length === 0) return
    const texts = (side: 'expected' | 'found') =>
      differences.map((one) => `${one.name} ${JSON.stringify(one[side])}`).join(', ')
    this.add(code, id, texts('expected'), texts('found'))
  }
}

export interface Difference {
  readonly name: string
  readonly expected: unknown
  readonly found: unknown
}

/** The values of `expected` that `found` does not have. */
export function differencesOf(expected: object, found: object): Difference[] {
  const stored = found as Readonly<Record<string, unknown>>
  const differences: Difference[] = []
  // For each event of the log: no array of pairs.
  for (const name of Object.keys(expected)) {
    const value = (expected as typeof stored)[name]
    if (stored[name] !== value) differences.push({ name, expected: value, found: stored[name] })
  }
  return differences
}
