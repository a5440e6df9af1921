import { countedStates } from '../../../ports/storage/gauges'
import { type Names, type Reads, safeInteger } from '../database/database'
import type { ReviewDialect } from './reviews'

/** What the option `telemetry` reads. */
export function telemetryReads(
  table: Names['table'],
  { rows, values, isoTime }: Pick<ReviewDialect, 'rows' | 'values' | 'isoTime'>,
): Pick<Reads, 'gauges' | 'eventTraces'> {
  const states = countedStates.map((state) => `'${state}'`).join(', ')
  const lag = `coalesce((select last_id from ${table('event_counts')} where project = ''), 0) - c.position`
  // The first event after the position, by the primary key.
  const since = `(select ${isoTime('created_at')} from ${table('events')} where id > c.position order by id limit 1)`
  const gaugesText = `select state, project, environment, total as value, cast(null as text) as since
      from ${table('change_request_counts')} where author = '' and state in (${states}) and total > 0
    union all select cast(null as text), name, cast(null as text), ${lag}, ${since} from ${table('consumers')} as c`
  const tracesText = `select id, trace from ${table('events')}
    where trace is not null and id in (select cast(value as bigint) from ${values} as listed)`

  return {
    gauges: async () => {
      const found = await rows(gaugesText, [])
      return {
        changeRequests: found
          .filter(({ state }) => state !== null)
          .map(({ state, project, environment, value }) => ({
            state,
            project,
            environment,
            count: safeInteger(value),
          })),
        consumers: found
          .filter(({ state }) => state === null)
          .map(({ project: name, value, since }) => ({ name, lag: Math.max(0, safeInteger(value)), since })),
      }
    },
    eventTraces: async (ids) => {
      const found = await rows(tracesText, [ids.map(String)])
      return new Map(found.map(({ id, trace }) => [safeInteger(id), trace]))
    },
  }
}
