import type { Names } from '../../database/database'

/** The number of future months with a partition. */
const monthsAhead = 3

const currentMonth = `date_trunc('month', now() at time zone 'UTC')`

/**
 * Creates the missing partitions; idempotent. A month gets no partition if the default partition already has events of it.
 * No partitions are created if the lock on the table times out or the privilege to create tables is missing.
 */
export function futurePartitions(names: Names): string {
  const { table } = names
  return `do $$
    declare
      first timestamp;
      low timestamptz;
      high timestamptz;
    begin
      for first in select ${currentMonth} + n * interval '1 month' from generate_series(0, ${monthsAhead}) as n loop
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

/** Returns no row, or one with the columns `plain` (the log has no partitions) and `missing`. */
export function partitionsQuery(names: Names): string {
  const month = `${currentMonth} + n * interval '1 month'`
  return `select relkind <> 'p' as plain,
      exists (select from generate_series(0, ${monthsAhead}) as n where to_regclass(${nameOf(names, month)}) is null) as missing
    from pg_class where oid = to_regclass('${names.table('events')}')`
}

/** The quoted name of a month's partition, as an SQL expression. */
function nameOf({ table }: Names, month: string): string {
  const [before, after] = table('events_?').split('?')
  return `'${before}' || to_char(${month}, 'YYYY_MM') || '${after}'`
}

export function rejectPlainLog({ table }: Names, found: { readonly plain: boolean } | undefined): void {
  if (found?.plain !== true) return
  throw new TypeError(
    `The option "eventPartitions" must be left out: ${table('events')} already exists without partitions.`,
  )
}
