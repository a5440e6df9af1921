/**
 * The database reported success, but has not stored all rows. A trigger can do that: on Postgres with `return null`, on SQLite
 * with `raise(ignore)`. The write is rolled back.
 */
export class LostRowsError extends Error {
  override readonly name = 'LostRowsError'

  constructor(tables: string) {
    super(
      `The database did not store all rows of this write in ${tables}, so nothing of it was stored. Look for a trigger that skips rows.`,
    )
  }
}
