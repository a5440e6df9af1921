import type { Knex } from 'knex'

/** How many connections of the host's pool are in use. */
export function connectionsInUse(knex: Knex): number {
  return (knex.client as { pool: { numUsed(): number } }).pool.numUsed()
}
