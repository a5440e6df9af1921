import { must } from '../../check-options'

const identifier = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/

/** A name that can be quoted as it is: Knex gives dots and ` as ` a meaning. */
export function isColumnName(name: unknown): boolean {
  return typeof name === 'string' && identifier.test(name)
}

/** The same, with or without a schema in front. */
function isTableName(name: unknown): boolean {
  if (typeof name !== 'string') return false
  const parts = name.split('.')
  return parts.length <= 2 && parts.every(isColumnName)
}

/** The name of a table or column in SQL; a test of the name comes first. */
export function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')
}

/** The check of an option `table`, so that the name can be quoted as it is. */
export const aTable = must(isTableName, 'the name of a table, such as "flags" or "app.flags"')
