import type { OpenDatabase } from './index'

/** From here on the database rejects every statement that updates or deletes an event. */
export async function forbidAlteringEvents({ knex, place }: OpenDatabase): Promise<void> {
  const reason = 'the log of events is append-only'
  if (place.knex.client !== 'pg') {
    for (const change of ['update', 'delete']) {
      await knex.raw(`create trigger no_${change} before ${change} on ffcr_events begin
        select raise(abort, '${reason}'); end`)
    }
    return
  }
  await knex.raw(`create function reject_change() returns trigger language plpgsql
    as $$ begin raise exception '${reason}'; end $$`)
  await knex.raw(`create trigger no_change before update or delete on ffcr_events
    for each row execute function reject_change()`)
  await knex.raw(`create trigger no_truncate before truncate on ffcr_events
    for each statement execute function reject_change()`)
}
