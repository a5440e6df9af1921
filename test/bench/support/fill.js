const { connect } = require('./databases')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../dist/operations/events/event-rows.js')
const { progress } = require('./figures')

const project = 'shop'
const seed = 20_000
const listSize = 1_000
/** So many are copied at most in one statement. */
const mostCopied = 500_000

/**
 * Fills a log under a table prefix of its own with `rows` events, each about 1.3 KB as JSON: by default of one project,
 * else as `make(n)` says.
 */
async function fillEvents(database, tablePrefix, rows, make = draft) {
  const knex = connect(database.config)
  const storage = knexStorage({ knex, tablePrefix, statementTimeoutMs: 60_000 })
  const started = performance.now()
  try {
    await storage.migrate()
    const first = Math.min(rows, seed)
    for (let from = 0; from < first; from += listSize) {
      const drafts = Array.from({ length: Math.min(listSize, first - from) }, (_, index) => make(from + index))
      await storage.appendEvents(toEventRows(drafts, ''))
    }
    if (rows > first) await withoutIndexes(knex, `${tablePrefix}events`, () => repeat(knex, tablePrefix, first, rows))
    if (rows > first) await count(knex, storage, tablePrefix)
    if (database.name === 'postgres') await knex.raw(`vacuum analyze ${tablePrefix}events`)
    else await knex.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await storage.close()
    await knex.destroy()
  }
  progress(`${database.name}: ${rows} events in ${Math.round((performance.now() - started) / 1_000)} s`)
}

/** Appends copies of what is there, each as much later as it stands further on: a log of millions in a minute. */
async function repeat(knex, prefix, first, rows) {
  const columns = 'type, project, environment, feature_name, created_by_user_id, group_type, group_id, body'
  for (let held = first, count; held < rows; held += count) {
    count = Math.min(held, mostCopied, rows - held)
    const later = isPostgres(knex)
      ? `created_at + interval '${held} seconds'`
      : `strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+${held} seconds')`
    await knex.raw(
      `insert into ${prefix}events (created_at, ${columns})
       select ${later}, ${columns} from ${prefix}events where id <= ? order by id`,
      [count],
    )
  }
}

/** A recount leaves the newest id of the instance as it is, because it never falls when events are removed. */
async function count(knex, storage, prefix) {
  const newest = knex(`${prefix}events`).max('id')
  await knex(`${prefix}event_counts`).update({ last_id: newest }).where({ project: '' })
  await storage.recountEvents()
}

/** An index is sooner made of millions of rows than kept while they come. */
async function withoutIndexes(knex, table, work) {
  const indexes = isPostgres(knex)
    ? await knex('pg_indexes').select({ name: 'indexname', sql: 'indexdef' }).where({ tablename: table })
    : await knex('sqlite_master').select('name', 'sql').where({ tbl_name: table, type: 'index' }).whereNotNull('sql')
  const removable = indexes.filter(({ name }) => !name.endsWith('_pkey'))
  for (const { name } of removable) await knex.raw(`drop index ${name}`)
  await work()
  for (const { sql } of removable) await knex.raw(sql)
}

const isPostgres = (knex) => knex.client.driverName === 'pg'

const types = ['feature-strategy-update', 'feature-strategy-add', 'feature-environment-enabled', 'feature-updated']

function draft(n) {
  const featureName = `checkout-${n % 500}`
  return {
    type: types[n % types.length],
    createdAt: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
    createdBy: `person${n % 40}@example.com`,
    createdByUserId: 1 + (n % 40),
    environment: n % 3 === 0 ? 'production' : 'development',
    project,
    featureName,
    data: strategy(n, 300 + ((n * 37) % 200)),
    preData: strategy(n + 1, 280 + ((n * 53) % 180)),
    tags: [{ type: 'simple', value: `team-${n % 12}` }],
    ip: '127.0.0.1',
    groupType: null,
    groupId: null,
  }
}

const searchTypes = ['feature-created', 'feature-updated', 'feature-archived', 'feature-strategy-update']
const projects = ['shop', 'blog', 'pay', 'core', 'labs']
/** What the texts to be looked for are in: almost nothing, almost everything, nothing. */
const texts = { rare: 'a needle', common: 'flexibleRollout', absent: 'no such text' }

/** The same for a search: several projects, and one event in ten is one of a change request. */
function searchDraft(n) {
  const event = { ...draft(n), project: projects[(n % 7) % projects.length] }
  const type = searchTypes[(n % 11) % searchTypes.length]
  if (n % 10 === 0) {
    const data = { changeRequestId: 1 + (Math.floor(n / 50) % changeRequests), ...event.data }
    return { ...event, type: 'change-added', featureName: null, data, preData: null }
  }
  return n % 5_003 === 1 ? { ...event, type, data: { ...event.data, title: texts.rare } } : { ...event, type }
}

/** So many have a change of one of the 500 flags each. */
const changeRequests = 400

async function fillSubjects(database, tablePrefix) {
  const knex = connect(database.config)
  try {
    const subjects = Array.from({ length: changeRequests }, (_, index) => ({
      change_request_id: index + 1,
      subject: `feature:checkout-${index}`,
    }))
    await knex.batchInsert(`${tablePrefix}change_request_subjects`, subjects, 100)
    if (isPostgres(knex)) await knex.raw(`vacuum analyze ${tablePrefix}change_request_subjects`)
  } finally {
    await knex.destroy()
  }
}

/** A strategy of about `size` bytes as JSON; one in ten with characters beyond ASCII. */
function strategy(n, size) {
  const facts = {
    id: `9f0c${String(n).padStart(12, '0')}`,
    name: 'flexibleRollout',
    title: n % 10 === 0 ? 'für Köln – 日本' : 'gradual rollout',
    parameters: { groupId: `checkout-${n % 500}`, rollout: String(n % 101), stickiness: 'default' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: [], inverted: false, caseInsensitive: false }],
    disabled: false,
  }
  const values = facts.constraints[0].values
  for (let length = JSON.stringify(facts).length; length < size; length += 12) {
    values.push(`user-${(n * 7919 + values.length * 104_729) % 10_000}`)
  }
  return facts
}

const held = 5_000

/**
 * Puts change requests into the tables of both ways, and has the database look at them: on empty tables Postgres settles
 * for plans that scan, and keeps those of named statements until it looks again.
 */
async function fillChangeRequests(database, prefix) {
  const knex = connect(database.config)
  const numbers = `with recursive g(n) as (select 1 union all select n + 1 from g where n < ${held})`
  const document = JSON.stringify({ text: 'x'.repeat(1_500) })
  try {
    await knex.raw(`insert into ${prefix}change_requests
      (id, project, environment, created_by, state, open, version, created_at, summary, document) ${numbers}
      select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', n < 0, 1, '2026-01-01T00:00:00Z', '{}', '${document}' from g`)
    await knex.raw(`insert into ${prefix}requests ${numbers}
      select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' from g`)
    await knex.raw(`insert into ${prefix}changes ${numbers}
      select 1000000000 + n, 1000000000 + n / 5, 'addStrategy', 'checkout', '{}', '2026-01-01T00:00:00Z' from g`)
    await knex.raw('analyze')
  } finally {
    await knex.destroy()
  }
}

module.exports = { fillChangeRequests, fillEvents, fillSubjects, project, searchDraft, texts }
