import type { SeenIndex } from '../postings/page-request'
import type { IndexState } from '../postings/posting-cache'
import { safeInteger } from './database'
import type { Sql } from './event-filter'

/** The columns of {@link toState}, in a select from the table of the index as `i`. */
export function stateColumns(blocks: string): string {
  const last = (column: string) =>
    `(select b.${column} from ${blocks} as b where b.generation = i.generation order by b.block desc limit 1)`
  return `i.sealed_to, i.generation, ${last('block')} as block, ${last('fingerprint')} as fingerprint`
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toState({ sealed_to, generation, block, fingerprint }: any): IndexState {
  return { sealedTo: safeInteger(sealed_to), generation, block: block ?? -1, fingerprint: fingerprint ?? '' }
}

/** Of the columns `holds` and `unfit`, beside those of {@link toState}. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toSeen({ holds, unfit, ...state }: any): SeenIndex {
  return { state: toState(state), holds: Boolean(holds), unfit: safeInteger(unfit) }
}

/** A condition beside the table of the index as `i`: it is the one that is known, or has grown from it. */
export function indexHolds(blocks: string, known: IndexState | undefined): Sql {
  if (known === undefined) return { text: 'true', values: [] }
  const { generation, block, fingerprint } = known
  return {
    text: `exists (select 1 from ${blocks} as b where b.generation = i.generation
      and b.generation = ? and b.block = ? and b.fingerprint = ?)`,
    values: [generation, block, fingerprint],
  }
}
