import { memoryStorage } from '../../src/storage/memory'
import { describeStorage } from '../../src/testing/index'
import { caseMappers } from '../support/case-mappers'
import { type OpenOptions, postgres, sqlite, type TestDatabase } from '../support/databases'

const runner = { describe, it, expect }

describeStorage(runner, 'memory', async () => {
  const storage = memoryStorage()
  return { storage, close: () => storage.close() }
})

const stores: readonly (readonly [string, TestDatabase, OpenOptions])[] = [
  ['SQLite', sqlite, {}],
  ['SQLite behind case mappers', sqlite, { host: caseMappers }],
  ['Postgres', postgres, {}],
  ['Postgres, unnamed statements, one connection', postgres, { preparedStatements: false, pool: { min: 0, max: 1 } }],
  ['Postgres behind case mappers, schema by search path', postgres, { host: caseMappers, namedSchema: false }],
]

for (const [name, database, options] of stores) describeStorage(runner, name, () => database.open(options))
