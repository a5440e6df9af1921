import type { Names } from '../shared/database'

/** How many months are ready beyond the present one. */
const monthsAhead = 3

const presentMonth = `date_trunc('month', now() at time zone 'UTC')`

/**
 * Makes the partitions that are missing; repeatable. Left to the default partition is a month of which it has events
 * already, and all where somebody holds the table for too long or where the right to make tables is missing.
 */
export function comingPartitions(names: Names): string {
  const { table } = names
  return `do $$
    declare
      first timestamp;
      low timestamptz;
      high timestamptz;
    begin
      for first in select ${presentMonth} + n * interval '1 month' from generate_series(0, ${monthsAhead}) as n loop
        low := first at time zone 'UTC';
        high := (first + interval '1 month') at time zone 'UTC';
        continue when to_regclass(${nameOf(names, 'first')}) is not null
          or exists (select from ${table('events_default')} where created_at >= low and created_at < high);
        begin
          execute format('create table %s partition of %s for values from (%L) to (%L)',
            ${nameOf(names, 'first')}, '${table('events')}', low, high);
        exception
          when check_violation then null;
          when lock_not_available or insufficient_privilege then return;
        end;
      end loop;
    end $$`
}

/** Zero rows, or one with the columns `plain` (the log has no partitions) and `missing`. */
export function partitionsQuery(names: Names): string {
  const month = `${presentMonth} + n * interval '1 month'`
  return `select relkind <> 'p' as plain,
      exists (select from generate_series(0, ${monthsAhead}) as n where to_regclass(${nameOf(names, month)}) is null) as missing
    from pg_class where oid = to_regclass('${names.table('events')}')`
}

/** The quoted name of a month's partition, as an expression. */
function nameOf({ table }: Names, month: string): string {
  const [before, after] = table('events_?').split('?')
  return `'${before}' || to_char(${month}, 'YYYY_MM') || '${after}'`
}

export function refusePlainLog({ table }: Names, found: { readonly plain: boolean } | undefined): void {
  if (found?.plain !== true) return
  throw new TypeError(
    `The option "eventPartitions" must be left out: ${table('events')} is there already, without partitions.`,
  )
}
