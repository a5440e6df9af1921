import type { Knex } from 'knex'
import { checkOption } from '../../../check-options'

const identifier = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/

/** A name that Knex quotes as it is: it gives dots and ` as ` a meaning. */
export function isColumnName(name: unknown): boolean {
  return typeof name === 'string' && identifier.test(name)
}

/** The same, with or without a schema in front. */
function isTableName(name: unknown): boolean {
  if (typeof name !== 'string') return false
  const parts = name.split('.')
  return parts.length <= 2 && parts.every(isColumnName)
}

/** Checks what plain flags and apply records have in common. */
export function checkTable(owner: string, { knex, table }: { readonly knex: Knex; readonly table: string }): void {
  checkOption(owner, 'knex', typeof knex === 'function' && 'client' in knex, 'a Knex instance')
  checkOption(owner, 'table', isTableName(table), 'the name of a table, such as "flags" or "app.flags"')
}
