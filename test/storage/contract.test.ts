import { openMemory } from '../../src/storage/memory'
import { describeStorage } from '../../src/testing/index'
import { type OpenOptions, postgres, sqlite, type TestDatabase } from '../support/databases'
import { peculiarPostgres, peculiarSqlite } from '../support/peculiar-hosts'

const runner = { describe, it, expect }

describeStorage(runner, 'memory', async () => {
  const { storage, removeEvents } = openMemory()
  return { storage, removeEvents, close: () => storage.close() }
})

const stores: readonly (readonly [string, TestDatabase, OpenOptions])[] = [
  ['SQLite', sqlite, {}],
  ['SQLite of a host with plugins and settings', sqlite, peculiarSqlite],
  ['Postgres', postgres, {}],
  [
    'Postgres, events in monthly partitions, unnamed statements, one connection',
    postgres,
    { eventPartitions: 'monthly', preparedStatements: false, pool: { min: 0, max: 1 } },
  ],
  [
    'Postgres of a host with plugins and settings, schema by search path',
    postgres,
    { ...peculiarPostgres(), namedSchema: false },
  ],
]

for (const [name, database, options] of stores) describeStorage(runner, name, () => database.open(options))
