import type { Knex } from 'knex'

const tables = ['change_requests', 'events', 'event_counts'] as const

/** Every row of every table that a write could touch, for comparing before and after. */
export async function contents(knex: Knex): Promise<Record<string, unknown[]>> {
  const rows = await Promise.all(
    tables.map((name) =>
      knex(`ffcr_${name}`)
        .select()
        .orderBy(1 as never),
    ),
  )
  return Object.fromEntries(tables.map((name, index) => [name, rows[index] ?? []]))
}

/** How many rows each table holds. */
export async function rowCounts(knex: Knex): Promise<Record<string, number>> {
  return Object.fromEntries(Object.entries(await contents(knex)).map(([name, rows]) => [name, rows.length]))
}
