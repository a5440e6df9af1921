import { type Names, safeInteger } from '../database/database'
import type { Sql } from '../queries/event-filter'
import type { PageRequest, SeenIndex } from './page-request'
import type { IndexState } from './posting-cache'
import type { NewestEvent } from './tail'

/** The columns of {@link toState}; reads from the index table as `i`. */
export function stateColumns({ table }: Pick<Names, 'table'>): string {
  const blocks = table('event_blocks')
  const last = (column: string) =>
    `(select b.${column} from ${blocks} as b where b.generation = i.generation order by b.block desc limit 1)`
  return `i.sealed_to, i.generation, ${last('block')} as block, ${last('fingerprint')} as fingerprint`
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toState({ sealed_to, generation, block, fingerprint }: any): IndexState {
  return { sealedTo: safeInteger(sealed_to), generation, block: block ?? -1, fingerprint: fingerprint ?? '' }
}

/** The columns of {@link toKnown}; reads from the index table as `i`. */
export function knownColumns(names: Names): string {
  const newest = `(select last_id from ${names.table('event_counts')} where project = '')`
  return `${stateColumns(names)}, coalesce(${newest}, 0) as last_id`
}

/** The state of the index, and the newest id of the log. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toKnown({ last_id, ...state }: any): Pick<SeenIndex, 'state' | 'lastId'> {
  return { state: toState(state), lastId: safeInteger(last_id) }
}

/** The columns of {@link toSeen}; reads from the index table as `i`. */
export function seenColumns(
  names: Names,
  { index, newest }: Pick<PageRequest, 'index' | 'newest'>,
  mismatches: string,
): Sql {
  const [isSameIndex, isSameTail] = [sameIndex(names.table('event_blocks'), index), sameTail(names, newest)]
  return {
    text: `${knownColumns(names)}, ${isSameIndex.text} as same_index, ${isSameTail.text} as same_tail, ${mismatches} as mismatches`,
    values: [...isSameIndex.values, ...isSameTail.values],
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
export function toSeen({ same_index, same_tail, mismatches, ...known }: any): SeenIndex {
  return {
    ...toKnown(known),
    isSameIndex: Boolean(same_index),
    isSameTail: Boolean(same_tail),
    mismatches: safeInteger(mismatches),
  }
}

/** The condition that the newest event of a tail is unchanged. */
function sameTail({ table }: Names, newest: NewestEvent | undefined): Sql {
  if (newest === undefined) return { text: 'true', values: [] }
  return {
    text: `exists (select 1 from ${table('events')} as e where e.id = ? and e.body = ?)`,
    values: [newest.id, newest.body],
  }
}

/** The condition that the index `i` is the known one or an extension of it. */
function sameIndex(blocks: string, known: IndexState | undefined): Sql {
  if (known === undefined) return { text: 'true', values: [] }
  const { generation, block, fingerprint } = known
  return {
    text: `exists (select 1 from ${blocks} as b where b.generation = i.generation
      and b.generation = ? and b.block = ? and b.fingerprint = ?)`,
    values: [generation, block, fingerprint],
  }
}
