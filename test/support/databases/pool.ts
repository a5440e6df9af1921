import type { Knex } from 'knex'

/** How many connections of the host's pool are lent out at this moment. */
export function connectionsInUse(knex: Knex): number {
  return (knex.client as { pool: { numUsed(): number } }).pool.numUsed()
}
