// Opens the storage of the built package for a process that may be killed, from the JSON of its argument:
//   knex     how Knex opens the database
//   storage  options of knexStorage
//   handle   instead of Knex, on the same database: 'database', a Database of better-sqlite3; 'pool', a pg.Pool
const Database = require('better-sqlite3')
const { Pool } = require('pg')
const { knex: createKnex } = require('knex')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { postgresStorage } = require('../../../dist/storage/handles/postgres/index.js')
const { sqliteStorage } = require('../../../dist/storage/handles/sqlite/index.js')

exports.openHandle = function openHandle({ knex: config, storage, handle }) {
  if (handle === 'database') {
    const { acquireTimeoutMs: _, lockTimeoutMs: __, ...options } = storage
    const database = new Database(config.connection.filename)
    return { database, storage: sqliteStorage({ database, ...options }) }
  }
  if (handle === 'pool') {
    const pool = new Pool({ connectionString: config.connection, options: `-c search_path=${config.searchPath}` })
    return { pool, storage: postgresStorage({ pool, ...storage }) }
  }
  const knex = createKnex(config)
  return { knex, storage: knexStorage({ knex, ...storage }) }
}
