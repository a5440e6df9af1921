import { type Names, safeInteger } from '../../database/database'
import { stateColumns, toState } from '../../event-index/index-state'
import type { BlockRows, LogState, Seal } from '../../event-index/sealer'
import type { IndexedEvent } from '../../event-index/terms'
import { createdAt, indexedColumns, indexRow } from './statements'

// biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
export type Rows = (text: string, values?: readonly unknown[]) => Promise<any[]>

/** The statements that maintain the index of events. */
export function postgresSealing({ table }: Names, rows: Rows) {
  /** @param from a part of the statement that returns a row if the block should be added. */
  const add = (from: string) => `posted as (
      insert into ${table('event_postings')} (generation, term, block, positions)
      select $1::integer, p.term, $2::integer, decode(p.positions, 'base64')
      from ${from}, json_to_recordset($3::json) as p(term text, positions text)
    ),
    tallied as (
      insert into ${table('event_tallies')} as t (generation, term, scope, total, last_id)
      select $1::integer, n.term, n.scope, n.total, n.last_id
      from ${from}, json_to_recordset($4::json) as n(term text, scope text, total bigint, last_id bigint)
      on conflict (generation, term, scope) do update
      set total = t.total + excluded.total, last_id = greatest(t.last_id, excluded.last_id)
    ),
    blocked as (
      insert into ${table('event_blocks')} (generation, block, fingerprint)
      select $1::integer, $2::integer, $5::text from ${from} where $5::text is not null
    )`
  const valuesOf = (generation: number, { block, postings, tallies, fingerprint }: BlockRows) => [
    generation,
    block,
    JSON.stringify(postings.map(({ term, positions }) => ({ term, positions: positions.toString('base64') }))),
    JSON.stringify(tallies.map(({ lastId, ...tally }) => ({ ...tally, last_id: lastId }))),
    fingerprint ?? null,
  ]

  return {
    async logState(): Promise<LogState> {
      const [row] = await rows(
        `select ${stateColumns({ table })}, (select min(id) from ${table('events')}) as first_id,
           (select max(id) from ${table('events')}) as last_id from ${indexRow({ table })}`,
      )
      return {
        ...toState(row),
        firstId: safeInteger(row.first_id ?? 0),
        lastId: safeInteger(row.last_id ?? 0),
      }
    },
    async indexedEvents(first: number, last: number): Promise<IndexedEvent[]> {
      const found = await rows(
        `select ${indexedColumns} from ${table('events')} where id between $1 and $2 order by id`,
        [first, last],
      )
      return found.map((row) => ({ ...row, id: safeInteger(row.id) }))
    },
    /**
     * One statement, so that it is one transaction. Adds nothing if another process was faster, or if the database was
     * restored after the events were read.
     */
    async seal({ before, sealedTo, newest, ...block }: Seal): Promise<void> {
      await rows(
        `with advanced as (
           update ${table('event_index')} set sealed_to = $6 where sealed_to = $7 and generation = $1
             and exists (select from ${table('event_blocks')} as b
               where b.generation = $1 and b.block = $8 and b.fingerprint = $9)
             and ($10::bigint is null or exists (select from ${table('events')} as e
               where e.id = $10::bigint and ${createdAt} = $11::text))
           returning generation
         ), ${add('advanced')} select count(*) from advanced`,
        [
          ...valuesOf(before.generation, block),
          sealedTo,
          before.sealedTo,
          before.block,
          before.fingerprint,
          newest?.id ?? null,
          newest?.createdAt ?? null,
        ],
      )
    },
    async addTo(generation: number, block: BlockRows): Promise<void> {
      await rows(`with ${add('(select 1) as always')} select 1`, valuesOf(generation, block))
    },
  }
}
