const BetterSqliteClient = require('knex/lib/dialects/better-sqlite3')

const { DatabaseSync, StatementSync } = process.getBuiltinModule?.('node:sqlite') ?? {}

/** Knex's client for better-sqlite3, on node:sqlite: nothing is compiled when you install. */
class NodeSqliteClient extends BetterSqliteClient {
  _driver() {
    return DatabaseSync
  }

  async acquireRawConnection() {
    return new DatabaseSync(this.connectionSettings.filename)
  }

  async _query(connection, query) {
    const statement = connection.prepare(query.sql)
    const values = this._formatBindings(query.bindings)
    if (statement.columns().length > 0) return Object.assign(query, { response: statement.all(...values) })
    const response = statement.run(...values)
    return Object.assign(query, { response, context: { lastID: response.lastInsertRowid, changes: response.changes } })
  }
}

/** On node:sqlite from Node 22.16 on, which added `columns`; else on better-sqlite3. */
const sqliteClient = StatementSync?.prototype.columns ? NodeSqliteClient : 'better-sqlite3'

module.exports = { sqliteClient }
