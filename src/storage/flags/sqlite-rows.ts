import { quoted } from '../sql/database/names'
import type { SqliteConnection } from '../sql/sqlite/handle'
import { type SyncFlagTable, usedColumns } from './flag-rows'
import type { PlainFlagsTable } from './plain-flags'

/**
 * The table of `plainFlags` on SQLite.
 *
 * @param quote the name of a table or column in SQL
 */
export function sqliteFlagTable(
  connection: SqliteConnection,
  { table, columns }: PlainFlagsTable,
  quote = quoted,
): SyncFlagTable {
  const selected = usedColumns(columns).map(([name, column]) => `${quote(column)} as ${quoted(name)}`)
  const key = quote(columns.name)
  const text = `select ${selected.join(', ')} from ${quote(table)} where ${key} in (select value from json_each(?))`
  return {
    read: (names) => connection.prepare(`${text} order by ${key}`).all(JSON.stringify(names)),
    write({ name, values }) {
      const set = values.map(([column]) => `${quote(column)} = ?`)
      // SQLite has no booleans.
      const bound = values.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))
      connection.prepare(`update ${quote(table)} set ${set.join(', ')} where ${key} = ?`).run(...bound, name)
    },
  }
}
