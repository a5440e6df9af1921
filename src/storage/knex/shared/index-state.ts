import type { SeenIndex } from '../postings/page-request'
import type { IndexState } from '../postings/posting-cache'
import { safeInteger } from './database'
import type { Sql } from './event-filter'

/** The columns of {@link toState}; reads from the index table as `i`. */
export function stateColumns(blocks: string): string {
  const last = (column: string) =>
    `(select b.${column} from ${blocks} as b where b.generation = i.generation order by b.block desc limit 1)`
  return `i.sealed_to, i.generation, ${last('block')} as block, ${last('fingerprint')} as fingerprint`
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toState({ sealed_to, generation, block, fingerprint }: any): IndexState {
  return { sealedTo: safeInteger(sealed_to), generation, block: block ?? -1, fingerprint: fingerprint ?? '' }
}

/** Reads the columns `same_index` and `mismatches` in addition to those of {@link toState}. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toSeen({ same_index, mismatches, ...state }: any): SeenIndex {
  return { state: toState(state), isSameIndex: Boolean(same_index), mismatches: safeInteger(mismatches) }
}

/** The condition that the index `i` is the known one or an extension of it. */
export function sameIndex(blocks: string, known: IndexState | undefined): Sql {
  if (known === undefined) return { text: 'true', values: [] }
  const { generation, block, fingerprint } = known
  return {
    text: `exists (select 1 from ${blocks} as b where b.generation = i.generation
      and b.generation = ? and b.block = ? and b.fingerprint = ?)`,
    values: [generation, block, fingerprint],
  }
}
