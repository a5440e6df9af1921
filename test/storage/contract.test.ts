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

// `npm test` runs the suite on better-sqlite3 and pg.Pool in test/storage/handles, and on Postgres by Knex here.
if (isNightly) {
  describeStorage(runner, 'SQLite', () => sqlite.open())
  describeStorage(runner, 'SQLite of a host with plugins and settings', () => sqlite.open(peculiarSqlite))
}

const stores: [string, OpenOptions][] = [['Postgres', {}]]
if (isNightly) {
  stores.push(
    ['Postgres, unnamed statements, one connection', { preparedStatements: false, pool: { min: 0, max: 1 } }],
    [
      'Postgres of a host with plugins and settings, schema by search path',
      { ...peculiarPostgres(), namedSchema: false },
    ],
  )
}

for (const [name, options] of stores) {
  const { open, drop } = reusedPostgres(options)
  afterAll(drop)
  describeStorage(runner, name, open)
}
