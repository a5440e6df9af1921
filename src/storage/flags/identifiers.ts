import { checkOption } from '../../check-options'

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

/** @throws TypeError unless the name of the table can be quoted as it is */
export function checkTable(owner: string, table: string): void {
  checkOption(owner, 'table', isTableName(table), 'the name of a table, such as "flags" or "app.flags"')
}
