// Runs SQL of the guides on Postgres, each piece in a transaction that is rolled back, and prints what failed as JSON.
// A process of its own, because the package that brings Postgres is an ES module, which Jest cannot load.
import { createRequire } from 'node:module'
import knex from 'knex'
import { startPostgres } from '../../support/postgres-up.mjs'

const { knexStorage } = createRequire(import.meta.url)('express-change-requests/knex')
const pieces = JSON.parse(process.argv[2])
const schema = `guides_${process.pid}`
const started = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres()
const connection = started?.url ?? process.env.TEST_POSTGRES_URL
const database = knex({ client: 'pg', connection, searchPath: [schema], pool: { min: 0, max: 2 } })
const failures = []
try {
  await database.raw('create schema ??', [schema])
  await knexStorage({ knex: database, schema, eventPartitions: 'monthly' }).migrate()
  for (const sql of pieces) {
    const transaction = await database.transaction()
    await transaction.raw(sql).catch((error) => failures.push({ sql, message: error.message }))
    await transaction.rollback()
  }
} finally {
  await database.raw('drop schema if exists ?? cascade', [schema])
  await database.destroy()
  await started?.server.stop()
}
console.log(JSON.stringify(failures))
