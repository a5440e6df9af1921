import { type Names, safeInteger } from '../../database/database'
import { stateColumns, toState } from '../../event-index/index-state'
import type { BlockRows, LogState, SealStatements } from '../../event-index/sealer'
import type { IndexedEvent } from '../../event-index/terms'
import type { Statement } from '../prepared'
import type { Borrow } from './reads'
import { indexedColumns } from './statements'

type Prepare = (text: string) => Statement

export type Transact = <Value>(work: (prepare: Prepare) => Value) => Promise<Value>

/** The statements that maintain the index of events. */
export function sqliteSealing(names: Names) {
  const { table } = names

  return {
    logState(prepare: Prepare): LogState {
      const row = prepare(
        `select ${stateColumns({ table })}, (select min(id) from ${table('events')}) as first_id,
           (select max(id) from ${table('events')}) as last_id from ${table('event_index')} as i`,
      ).get()
      return {
        ...toState(row),
        firstId: safeInteger(row.first_id ?? 0),
        lastId: safeInteger(row.last_id ?? 0),
      }
    },
    indexedEvents: (prepare: Prepare, first: number, last: number): IndexedEvent[] =>
      prepare(`select ${indexedColumns} from ${table('events')} where id between ? and ? order by id`).all(first, last),
    add(prepare: Prepare, generation: number, { block, fingerprint, postings, tallies }: BlockRows) {
      if (fingerprint !== undefined) {
        const text = `insert into ${table('event_blocks')} (generation, block, fingerprint) values (?, ?, ?)`
        prepare(text).run(generation, block, fingerprint)
      }
      const post = prepare(
        `insert into ${table('event_postings')} (generation, term, block, positions) values (?, ?, ?, ?)`,
      )
      for (const { term, positions } of postings) post.run(generation, term, block, positions)
      const tally = prepare(
        `insert into ${table('event_tallies')} (generation, term, scope, total, last_id) values (?, ?, ?, ?, ?)
         on conflict do update set total = total + excluded.total, last_id = max(last_id, excluded.last_id)`,
      )
      for (const { term, scope, total, lastId } of tallies) tally.run(generation, term, scope, total, lastId)
    },
  }
}

export function sqliteSealStatements(names: Names, borrow: Borrow, transact: Transact): SealStatements {
  const { logState, indexedEvents, add } = sqliteSealing(names)
  const { table } = names
  const advance = `update ${table('event_index')} set sealed_to = ? where sealed_to = ? and generation = ?
    and exists (select 1 from ${table('event_blocks')} as b
      where b.generation = ? and b.block = ? and b.fingerprint = ?)
    and (? is null or exists (select 1 from ${table('events')} where id = ? and created_at = ?))`
  return {
    logState: () => borrow(logState),
    indexedEvents: (first, last) => borrow((prepare) => indexedEvents(prepare, first, last)),
    /** Adds nothing if another process was faster, or if the database was restored after the events were read. */
    seal: (seal) =>
      transact((prepare) => {
        const { sealedTo, generation, block, fingerprint } = seal.before
        const { id, createdAt } = seal.newest ?? { id: null, createdAt: null }
        const values = [seal.sealedTo, sealedTo, generation, generation, block, fingerprint, id, id, createdAt]
        const won = prepare(advance).run(...values).changes === 1
        if (won) add(prepare, generation, seal)
      }),
  }
}
