const express = require('express')
const { serve } = require('../support/child')
const { connect } = require('../support/databases')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { postgresStorage } = require('../../../dist/storage/handles/postgres/index.js')
const { sqliteStorage } = require('../../../dist/storage/handles/sqlite/index.js')

const { handle, config } = JSON.parse(process.argv[2])
const max = 10

/** The storage on each handle, with the settings that a host would use. */
const storages = {
  'pg.Pool': () => postgresStorage({ pool: openPool(), tablePrefix: 'pool_' }),
  'better-sqlite3': () => {
    const Database = require('better-sqlite3')
    return sqliteStorage({ database: new Database(config.connection.filename), tablePrefix: 'database_' })
  },
  knex: () => knexStorage({ knex: connect(config), tablePrefix: 'knex_' }),
  kysely: () => {
    const { Kysely, PostgresDialect } = require('kysely')
    const { fromKysely } = require('../../../dist/storage/handles/orms/index.js')
    const db = new Kysely({ dialect: new PostgresDialect({ pool: openPool() }) })
    return postgresStorage({ client: fromKysely(db), tablePrefix: 'kysely_' })
  },
}

function openPool() {
  const { Pool } = require('pg')
  return new Pool({ connectionString: config.connection, max })
}

async function main() {
  const authenticate = () => ({ id: 1, username: 'caller1', grants: [{ permission: 'ADMIN' }] })
  const router = createChangeRequestRouter({ storage: storages[handle](), authenticate })
  await router.migrate()
  serve(express().use(router), {})
}

void main()
