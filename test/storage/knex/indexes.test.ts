import type { EventFilter } from '../../../src/ports/storage'
import { postgresFilter } from '../../../src/storage/knex/postgres/event-statements'
import { type FilterDialect, selectEvents } from '../../../src/storage/knex/shared/event-filter'
import { createNames } from '../../../src/storage/knex/shared/names'
import { sqliteFilter } from '../../../src/storage/knex/sqlite/event-statements'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'

type Explain = (open: OpenDatabase, text: string, values: readonly unknown[]) => Promise<string>

const onSqlite: Explain = async ({ knex }, text, values) => {
  const given = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
  const rows = (await knex.raw(`explain query plan ${text}`, given as never)) as { detail: string }[]
  return rows.map(({ detail }) => detail).join('\n')
}

/** An empty table is read as a whole whatever indexes it has, unless that is made expensive. */
const onPostgres: Explain = ({ knex }, text, values) =>
  knex.transaction(async (transaction) => {
    await transaction.raw('set local enable_seqscan = off')
    const { rows } = await transaction.raw(`explain ${text}`, values as never)
    return rows.map((row: object) => Object.values(row)[0]).join('\n')
  })

const filters: readonly [string, EventFilter][] = [
  ['events_change_request', { history: { features: ['checkout'], subjects: ['feature:checkout'] } }],
  ['events_change_request', { history: { features: ['a', 'b'], subjects: ['feature:a', 'feature:b'] } }],
  ['events_feature', { features: ['checkout'] }],
  ['events_project', { projects: ['shop'] }],
  ['events_type', { types: ['feature-created'] }],
  ['events_environment', { environments: ['production'] }],
  ['events_group', { groupIds: ['a group'] }],
]

describe.each([
  { database: sqlite, dialect: sqliteFilter as FilterDialect, explain: onSqlite },
  { database: postgres, dialect: postgresFilter as FilterDialect, explain: onPostgres },
])('the event log on $database.name', ({ database, dialect, explain }) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await database.open()
  })
  afterAll(() => open.close())

  it.each(filters)('has an index, %s, that fits the query for %j', async (index, filter) => {
    const names = createNames('test', open.place.storage)
    const query = { filter, cursor: { before: Number.MAX_SAFE_INTEGER }, limit: 100 }
    const { text, values } = selectEvents(names, '*', query, dialect)

    expect(await explain(open, text, values)).toContain(names.index(index).slice(1, -1))
  })
})
