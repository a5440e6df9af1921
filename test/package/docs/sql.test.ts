import { runNode, stopAll } from '../support/child'
import { root } from '../support/folders'
import { blocks, guides, readText } from '../support/markdown'

/**
 * Runs SQL on Postgres, each piece in a transaction that is rolled back, and prints the failures. A separate process,
 * because the package with Postgres is an ES module, which Jest cannot load.
 */
const script = `
import { createRequire } from 'node:module'
import knex from 'knex'
import { startPostgres } from './test/support/databases/postgres-up.mjs'

const { knexStorage } = createRequire(import.meta.url)('express-change-requests/knex')
const schema = 'guides_' + process.pid
const started = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres()
const connection = started?.url ?? process.env.TEST_POSTGRES_URL
const database = knex({ client: 'pg', connection, searchPath: [schema], pool: { min: 0, max: 2 } })
const failures = []
try {
  await database.raw('create schema ??', [schema])
  await knexStorage({ knex: database, schema }).migrate()
  for (const sql of JSON.parse(process.argv[1])) {
    const transaction = await database.transaction()
    await transaction.raw(sql).catch(({ message }) => failures.push(message))
    await transaction.rollback()
  }
} finally {
  await database.raw('drop schema if exists ?? cascade', [schema])
  await database.destroy()
  await started?.server.stop()
}
console.log(JSON.stringify(failures))
`

describe('the SQL in the guides', () => {
  afterAll(stopAll)

  it('runs on a Postgres with the tables of this release', async () => {
    const pieces = guides.flatMap((guide) => blocks(readText(guide)).filter(({ language }) => language === 'sql'))
    const { TEST_POSTGRES_URL } = process.env
    const args = ['--input-type=module', '-e', script, JSON.stringify(pieces.map(({ text }) => text))]
    const env = TEST_POSTGRES_URL === undefined ? {} : { TEST_POSTGRES_URL }
    const { status, stdout, stderr } = await runNode(args, { cwd: root, env }).exit
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual([])
    expect(pieces.length).toBeGreaterThanOrEqual(2)
  })
})
