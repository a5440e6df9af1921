import { openMemory } from '../../src/storage/memory'
import { describeStorage } from '../../src/testing/index'
import { type OpenOptions, reusedPostgres, sqlite } from '../support/databases'
import { isNightly } from '../support/nightly'
import { peculiarPostgres, peculiarSqlite } from '../support/peculiar-hosts'

const runner = { describe, it, expect }

describeStorage(runner, 'memory', async () => {
  const { storage, removeEvents } = openMemory()
  return { storage, removeEvents, close: () => storage.close() }
})

/** Most events of these tests are indexed, and the last ones are not. */
const smallBlocks = { blockSize: 32 }

describeStorage(runner, 'SQLite', () => sqlite.open(smallBlocks))
// The default run covers such hosts in knex/host-database.test.ts.
if (isNightly) describeStorage(runner, 'SQLite of a host with plugins and settings', () => sqlite.open(peculiarSqlite))

const stores: [string, OpenOptions][] = [
  ['Postgres', smallBlocks],
  ['Postgres, unnamed statements, one connection', { preparedStatements: false, pool: { min: 0, max: 1 } }],
]
if (isNightly) {
  const name = 'Postgres of a host with plugins and settings, schema by search path'
  stores.push([name, { ...peculiarPostgres(), namedSchema: false }])
}

for (const [name, options] of stores) {
  const { open, drop } = reusedPostgres(options)
  afterAll(drop)
  describeStorage(runner, name, open)
}
