import type { LogState, Seal } from '../../postings/sealer'
import type { IndexedEvent } from '../../postings/terms'
import { type Names, safeInteger } from '../../shared/database'

// biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
export type Rows = (text: string, values?: readonly unknown[]) => Promise<any[]>

/** The statements that keep the index of events. */
export function postgresSealing({ table }: Names, rows: Rows) {
  /** @param from a part of the statement that has a row if the block is to be added. */
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
    )`
  const valuesOf = (generation: number, { block, postings, tallies }: Pick<Seal, 'block' | 'postings' | 'tallies'>) => [
    generation,
    block,
    JSON.stringify(postings.map(({ term, positions }) => ({ term, positions: positions.toString('base64') }))),
    JSON.stringify(tallies.map(({ lastId, ...tally }) => ({ ...tally, last_id: lastId }))),
  ]

  return {
    async logState(): Promise<LogState> {
      const [row] = await rows(
        `select sealed_to, generation, (select min(id) from ${table('events')}) as first_id,
           (select max(id) from ${table('events')}) as last_id from ${table('event_index')}`,
      )
      return {
        sealedTo: safeInteger(row.sealed_to),
        generation: row.generation,
        firstId: safeInteger(row.first_id ?? 0),
        lastId: safeInteger(row.last_id ?? 0),
      }
    },
    async indexedEvents(first: number, last: number): Promise<IndexedEvent[]> {
      const found = await rows(
        `select id, type, project, environment, feature_name as feature, created_by_user_id as creator,
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, change_request_id as request
         from ${table('events')} where id between $1 and $2 order by id`,
        [first, last],
      )
      return found.map((row) => ({ ...row, id: safeInteger(row.id) }))
    },
    /** One statement, so that it is one transaction; nothing is added where another process was faster. */
    async seal({ before, sealedTo, ...block }: Seal): Promise<void> {
      await rows(
        `with advanced as (
           update ${table('event_index')} set sealed_to = $5 where sealed_to = $6 and generation = $1 returning generation
         ), ${add('advanced')} select count(*) from advanced`,
        [...valuesOf(before.generation, block), sealedTo, before.sealedTo],
      )
    },
    async addTo(generation: number, block: Pick<Seal, 'block' | 'postings' | 'tallies'>): Promise<void> {
      await rows(`with ${add('(select 1) as always')} select 1`, valuesOf(generation, block))
    },
  }
}
