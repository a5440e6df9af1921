import { quoted } from '../sql/database/names'
import type { SqliteConnection } from '../sql/sqlite/handle'
import { prepared } from '../sql/sqlite/prepared'
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
  const all = `select ${selected.join(', ')} from ${quote(table)}`
  const read = `${all} where ${key} in (select value from json_each(?)) order by ${key}`
  const search = `${all} where lower(substr(${key}, 1, length(?))) = lower(?) order by ${key} limit 100`
  return {
    read: (names) => prepared(connection, read).all(JSON.stringify(names)),
    search: (prefix) => prepared(connection, search).all(prefix, prefix),
    write({ name, values }) {
      const set = values.map(([column]) => `${quote(column)} = ?`)
      // SQLite has no booleans.
      const bound = values.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))
      prepared(connection, `update ${quote(table)} set ${set.join(', ')} where ${key} = ?`).run(...bound, name)
    },
  }
}
