import {
  notApplicableSince,
  notApprovedSince,
  objected,
  objectedInSubject,
  objectedSubject,
  reviewedSince,
} from '../../../src/domain/content/grouping'
import type { ReviewSearch } from '../../../src/ports/storage/change-requests'
import { type EventCursor, type EventFilter, newest } from '../../../src/ports/storage/events'
import type { Names, Reads } from '../../../src/storage/sql/database/database'
import { createNames } from '../../../src/storage/sql/database/names'
import { logPageStatement, numbered, pageStatement } from '../../../src/storage/sql/postgres/events/statements'
import { postgresDialect } from '../../../src/storage/sql/postgres/index'
import { matching } from '../../../src/storage/sql/queries/change-request-filter'
import { timesReads } from '../../../src/storage/sql/queries/due'
import { changeRequestReads } from '../../../src/storage/sql/queries/reads'
import { StoredTexts } from '../../../src/storage/sql/queries/stored-texts'
import { pageStatement as sqlitePageStatement } from '../../../src/storage/sql/sqlite/events/statements'
import { sqliteDialect } from '../../../src/storage/sql/sqlite/index'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'
import { noon } from '../fixtures'

type Explain = (open: OpenDatabase, text: string, values: readonly unknown[]) => Promise<string>

const onSqlite: Explain = async ({ knex }, text, values) => {
  const given = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
  const rows = (await knex.raw(`explain query plan ${text}`, given as never)) as { detail: string }[]
  return rows.map(({ detail }) => detail).join('\n')
}

/** Postgres scans an empty table despite its indexes, unless a scan is made expensive. */
const onPostgres: Explain = ({ knex }, text, values) =>
  knex.transaction(async (transaction) => {
    await transaction.raw('set local enable_seqscan = off')
    const connection = await transaction.client.acquireConnection()
    const { rows } = await connection.query(`explain ${numbered(text)}`, values)
    return rows.map((row: object) => Object.values(row)[0]).join('\n')
  })

const unindexed = /Seq Scan on ffcr_events\b|BitmapAnd|SCAN ffcr_events\b|MULTI-INDEX/

const filters: readonly [string, EventFilter][] = [
  ['project', { projects: ['shop', 'blog'] }],
  ['type', { types: ['feature-created'] }],
  ['feature_name', { features: ['checkout'] }],
  ['created_by_user_id', { createdBy: [1, 2] }],
  ['environment', { environments: ['live'] }],
  ['change_request_id', { changeRequestIds: [1] }],
  ['group_id', { groupIds: ['a group'] }],
]

describe.each([
  { database: sqlite, statement: sqlitePageStatement, explain: onSqlite },
  { database: postgres, statement: pageStatement, explain: onPostgres },
])('the event log on $database.name', ({ database, statement, explain }) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await database.open()
  })
  afterAll(() => open.close())

  const planOf = (filter: EventFilter, cursor: EventCursor) => {
    const page = { offset: 0, limit: 50, grouped: true, examined: 1_000, counted: 1_000 }
    const { text, values } = statement(createNames(open.place.storage), { filter, cursor, ...page })
    return explain(open, text, values)
  }

  it.each(filters)(
    'finds events by the index on %s and the id, in both directions and for the total',
    async (column, filter) => {
      const index = new RegExp(`events_${column === 'group_id' ? 'group' : column}\\b`)
      for (const cursor of [newest, { after: 7 }]) {
        const plan = await planOf(filter, cursor)
        expect(plan).toMatch(index)
        expect(plan).not.toMatch(unindexed)
      }
    },
  )

  it('compares the events of one index with the other conditions, and never combines two', async () => {
    const all = Object.assign({}, ...filters.map(([, filter]) => filter), { from: '2026-03-01' })
    const plan = await planOf(all, newest)
    for (const [column] of filters) expect(plan).toContain(`events_${column === 'group_id' ? 'group' : column}`)
    expect(plan).not.toMatch(unindexed)
  })
})

describe('the log of one project on Postgres', () => {
  it.each([newest, { after: 7 }])('is read in the order of its index from %j', async (cursor) => {
    const open = await postgres.open()
    const { text, values } = logPageStatement(createNames(open.place.storage), {
      ...{ project: 'shop', cursor, limit: 50, grouped: true },
    })
    const plan = await onPostgres(open, text, values).finally(() => open.close())

    expect(plan).toMatch(/events_project.*\n\s*Index Cond: \(\(ROW\(project, id\)/)
  })
})

describe.each([
  { database: sqlite, explain: onSqlite },
  { database: postgres, explain: onPostgres },
])('the search for change requests that need acknowledgement on $database.name', ({ database, explain }) => {
  it('has a partial index', async () => {
    const open = await database.open()
    const { table } = createNames(open.place.storage)
    const { text, values } = matching({ afterReview: true, viewer: 7 }, table, postgresDialect)
    const ordered = `select c.id from ${text} order by created_at desc, c.id desc`
    const plan = await explain(open, ordered, values).finally(() => open.close())

    expect(plan).toContain('change_requests_after_review')
  })
})

describe.each([
  { database: sqlite, explain: onSqlite, dialect: sqliteDialect },
  { database: postgres, explain: onPostgres, dialect: postgresDialect },
])('the change requests of certain subjects on $database.name', ({ database, explain, dialect }) => {
  it.each([
    ['in a project', { projects: ['shop'] }, ['feature:1']],
    ['in a project', { projects: ['shop'] }, ['feature:1', 'feature:2']],
    ['in several projects', { projects: ['shop', 'bank'] }, ['feature:1', 'feature:2']],
    ['in every project', {}, ['feature:1', 'feature:2']],
    ['of an author', { createdBy: 7 }, ['feature:1']],
  ])('%s are read by their subjects, never analysed: %j, %j', async (_, scope, subjects) => {
    const open = await database.open()
    const names = await fillMany(open)
    const filter = { ...scope, states: ['In review'], subjects, viewer: null } as const
    const { text, values } = matching(filter, names.table, dialect)
    const listed = `select c.id from ${text} order by created_at desc, c.id desc limit 100`
    const plan = await explain(open, listed, values).finally(() => open.close())

    expect(plan).toContain('change_request_subjects_subject')
    expect(plan).toMatch(/SEARCH c USING INTEGER PRIMARY KEY|change_requests_pkey/)
    expect(plan).not.toMatch(/change_requests_(project|newest|waiting|created_at|created_by)/)
  })
})

describe('a list of change requests over several projects on SQLite', () => {
  it.each([{}, { states: ['In review'] as const }])('is read in its order, and not sorted: %j', async (filter) => {
    const open = await sqlite.open()
    const names = await fillMany(open)
    const read = ({ summaries }: Reads) =>
      summaries({ projects: ['shop', 'bank'], ...filter, viewer: 7 }, { limit: 50, bytes: 1_048_576 })
    const { text, values } = await statementOf(names, read, sqlite)
    const plan = await onSqlite(open, text, values).finally(() => open.close())

    expect(plan).toMatch(/SCAN c USING COVERING INDEX \S+change_requests_created_at/)
    expect(plan).not.toMatch(/change_requests_(project|newest|waiting)/)
  })
})

describe.each([
  { database: sqlite, explain: onSqlite },
  { database: postgres, explain: onPostgres },
])('due change requests on $database.name', ({ database, explain }) => {
  it.each([
    ['the next one', { limit: 1 }],
    ['a page', { before: noon, after: { dueAt: noon, scheduledAt: noon, id: 1 }, limit: 100 }],
  ])('have an index that finds %s', async (_, page) => {
    const open = await database.open()
    const names = createNames(open.place.storage)
    let query: { readonly text: string; readonly values: readonly unknown[] } = { text: '', values: [] }
    const rows = async (text: string, values: readonly unknown[]) => {
      query = { text, values }
      return []
    }
    await timesReads(names.table('change_requests'), { rows, isoTime: (column) => column }).due(page)
    const plan = await explain(open, query.text, query.values).finally(() => open.close())

    expect(plan).toContain(names.index('change_requests_due').slice(1, -1))
  })
})

describe.each([
  { database: sqlite, explain: onSqlite },
  { database: postgres, explain: onPostgres },
])('interrupted applies on $database.name', ({ database, explain }) => {
  it.each([
    ['the first ones', { limit: 100 }],
    ['a page', { after: { applyingSince: noon, id: 1 }, limit: 100 }],
  ])('have an index that finds %s', async (_, page) => {
    const open = await database.open()
    const names = createNames(open.place.storage)
    let query: { readonly text: string; readonly values: readonly unknown[] } = { text: '', values: [] }
    const rows = async (text: string, values: readonly unknown[]) => {
      query = { text, values }
      return []
    }
    const reads = timesReads(names.table('change_requests'), { rows, isoTime: (column) => column })
    await reads.interrupted(noon, page)
    const plan = await explain(open, query.text, query.values).finally(() => open.close())

    expect(plan).toContain(names.index('change_requests_applying').slice(1, -1))
  })
})

describe.each([
  { database: sqlite, explain: onSqlite, filters: [{}, { projects: ['shop'] }, { updatedFrom: noon }] },
  // Postgres reads many in the order of the primary key.
  { database: postgres, explain: onPostgres, filters: [] },
])('change requests by id on $database.name', ({ database, explain, filters }) => {
  it.each([...filters, { updatedFrom: noon, updatedBefore: noon }])(
    'are found by an index with updatedAt, never analysed: %j',
    async (filter) => {
      const open = await database.open()
      const names = await fillMany(open)
      const page = { after: 7, limit: 100, bytes: 1 << 20 }
      const { text, values } = await statementOf(names, (reads) => reads.listById(filter, page), database)
      const plan = await explain(open, text, values).finally(() => open.close())

      expect(plan).toMatch(/change_requests_updated_at\W/)
      expect(plan).not.toMatch(/SCAN \S+change_request|Seq Scan on \S+change_request/)
    },
  )
})

const inReview = { project: 'shop', environment: 'production', scope: 'environment', state: 'In review' } as const
const everything = Number.MAX_SAFE_INTEGER
const ways: readonly (readonly [index: string, search: Partial<ReviewSearch>])[] = [
  ['change_requests_newest', { cases: [{ groups: [inReview], notBy: 7, withoutSubject: reviewedSince(7, null) }] }],
  ['change_requests_waiting', { cases: [{ groups: [inReview] }], order: 'waiting' }],
  ['change_requests_waiting', { cases: [{ groups: [inReview] }], order: 'recent' }],
  ['change_requests_newest', { cases: [{ groups: [inReview] }], createdFrom: noon }],
  ['change_requests_waiting', { cases: [{ groups: [inReview] }], createdFrom: noon, order: 'recent' }],
  ['change_requests_scheduled', { cases: [{ groups: [inReview] }], scheduledFrom: noon, scheduledBefore: noon }],
  ['change_requests_scheduled', { cases: [{ groups: [inReview], by: 7 }], scheduledFrom: noon, order: 'recent' }],
  ['change_requests_created_by', { cases: [{ groups: [inReview], by: 7 }] }],
  ['change_requests_created_by', { cases: [{ groups: [inReview] }], createdBy: 7, order: 'waiting' }],
  ['change_request_subjects_subject', { cases: [{ groups: [inReview] }], subjects: ['feature:1'] }],
  ['change_request_subjects_subject', { cases: [{ groups: [inReview], subject: 'stopped:7' }] }],
  ['change_request_subjects_subject', { cases: [{ groups: [inReview], subject: notApprovedSince(noon) }] }],
  ['change_request_subjects_subject', { cases: [{ groups: [inReview], subject: objectedSubject(7) }] }],
  ['change_requests_newest', { cases: [{ groups: [inReview], withoutSubject: objected }] }],
  ['change_requests_newest', { cases: [{ groups: [inReview], withoutSubject: notApplicableSince(noon) }] }],
  // The number of approved ones that nobody can apply.
  [
    'change_request_subjects_subject',
    { counts: { of: [[{ groups: [inReview], subject: objectedInSubject('shop') }]], upTo: everything } },
  ],
  ['change_requests_created_by', { cases: [{ groups: [inReview], subject: 'stopped:7' }], createdBy: 7 }],
  ['change_requests_after_review', { cases: [{ groups: [inReview], afterReview: true }] }],
]

describe.each([
  { database: sqlite, explain: onSqlite },
  { database: postgres, explain: onPostgres },
])('a page of the inbox on $database.name, never analysed', ({ database, explain }) => {
  it.each(ways)('is found with %s', async (index, search) => {
    const open = await database.open()
    const names = await fillMany(open)
    const page = { cases: [], order: 'newest', limit: 10, bytes: 1 << 20, counts: { of: [], upTo: 1 } } as const
    const { text, values } = await statementOf(names, (reads) => reads.reviews({ ...page, ...search }), database, [
      { version: null, count0: 0 },
    ])
    const plan = await explain(open, text, values).finally(() => open.close())

    const others = [...new Set(ways.map(([one]) => one))].filter(
      (one) => one !== index && one.startsWith('change_requests_'),
    )
    expect(plan).toContain(index)
    for (const other of others) expect(plan).not.toContain(other)
    expect(plan).not.toMatch(/SCAN \S+change_request|Seq Scan on \S+change_request/)
  })
})

/** More rows than a planner reads without an index. */
const manyRows = 5_000

async function fillMany({ knex, place }: OpenDatabase): Promise<Names> {
  const names = createNames(place.storage)
  const numbers = `with recursive n(id) as (select 1 union all select id + 1 from n where id < ${manyRows})`
  await knex.raw(`insert into ${names.table('change_requests')} (id, project, environment, created_by, state, open,
      after_review, whole_project, version, created_at, updated_at, state_since, summary, document, document_sha256, content, content_sha256)
    ${numbers} select id, 'shop', 'production', id, 'In review', id < 0, id < 0, id < 0, 1, '${noon}', '${noon}', '${noon}', '{}', '{}', '', '{}', '' from n`)
  await knex.raw(`insert into ${names.table('change_request_subjects')} (change_request_id, subject)
    ${numbers} select id, 'feature:' || id from n union all select id, 'reviewed:7:${noon}' from n where id < 500`)
  return names
}

/** The statement that a read of change requests runs. */
async function statementOf(
  names: Names,
  read: (reads: Reads) => Promise<unknown>,
  database = postgres,
  found: object[] = [],
) {
  let query: { readonly text: string; readonly values: readonly unknown[] } = { text: '', values: [] }
  const rows = async (text: string, values: readonly unknown[]) => {
    query = { text, values }
    return found
  }
  await read(
    changeRequestReads(names, {
      rows,
      texts: new StoredTexts(),
      ...(database === sqlite ? sqliteDialect : postgresDialect),
    }),
  )
  return query
}

describe.each([
  { database: sqlite, explain: onSqlite, key: /SEARCH \S+change_request_counts USING PRIMARY KEY \(author=\?/ },
  { database: postgres, explain: onPostgres, key: /change_request_counts_pkey/ },
])('the counts of change requests by state on $database.name', ({ database, explain, key }) => {
  it.each([{}, { createdBy: 7 }, { states: ['Draft', 'In review'] as const }, { projects: undefined }])(
    'read stored counts by their key, and no change request: %j',
    async (filter) => {
      const open = await database.open()
      const names = createNames(open.place.storage)
      const count = (reads: Reads) => reads.countByState({ projects: ['shop', 'bank'], ...filter, viewer: 7 } as never)
      const { text, values } = await statementOf(names, count, database)
      const plan = await explain(open, text, values).finally(() => open.close())

      expect(plan).toMatch(key)
      expect(plan).not.toMatch(/change_requests|Seq Scan/)
    },
  )

  it.each([{}, { projects: ['shop'], states: ['In review', 'Approved'] as const }])(
    'and those of groups as well: %j',
    async (filter) => {
      const open = await database.open()
      const names = createNames(open.place.storage)
      const count = (reads: Reads) => reads.countGroups({ ...filter, viewer: 7 })
      const { text, values } = await statementOf(names, count, database)
      const plan = await explain(open, text, values).finally(() => open.close())

      expect(plan).toMatch(key)
      expect(plan).not.toMatch(/change_requests|Seq Scan/)
    },
  )
})
