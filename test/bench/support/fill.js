const { connect } = require('./databases')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../dist/operations/event-rows.js')

const project = 'shop'
const seed = 100_000
const listSize = 1_000

/** Fills a log under a table prefix of its own with `rows` events of one project, each about 1.3 KB as JSON. */
async function fillEvents(database, tablePrefix, rows) {
  const knex = connect(database.config)
  const storage = knexStorage({ knex, tablePrefix, statementTimeoutMs: 60_000 })
  try {
    await storage.migrate()
    const first = Math.min(rows, seed)
    for (let from = 0; from < first; from += listSize) {
      const drafts = Array.from({ length: Math.min(listSize, first - from) }, (_, index) => draft(from + index))
      await storage.appendEvents(toEventRows(drafts, ''))
    }
    for (let held = first; held < rows; ) held += await repeat(knex, tablePrefix, Math.min(first, rows - held), held)
    if (database.name === 'postgres') await knex.raw(`vacuum analyze ${tablePrefix}events`)
    else await knex.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await storage.close()
    await knex.destroy()
  }
}

/** Appends copies of the first events: a log of millions in seconds. */
async function repeat(knex, prefix, count, held) {
  const columns = 'created_at, type, project, environment, feature_name, created_by_user_id, group_type, group_id, body'
  await knex.raw(
    `insert into ${prefix}events (${columns}) select ${columns} from ${prefix}events where id <= ? order by id`,
    [count],
  )
  await knex.raw(`update ${prefix}event_counts set total = ?, last_id = ?`, [held + count, held + count])
  return count
}

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
    await knex.raw(`insert into ${prefix}change_requests ${numbers}
      select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', n < 0, 1, '2026-01-01T00:00:00Z', '${document}' from g`)
    await knex.raw(`insert into ${prefix}requests ${numbers}
      select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' from g`)
    await knex.raw(`insert into ${prefix}changes ${numbers}
      select 1000000000 + n, 1000000000 + n / 5, 'addStrategy', 'checkout', '{}', '2026-01-01T00:00:00Z' from g`)
    await knex.raw('analyze')
  } finally {
    await knex.destroy()
  }
}

module.exports = { fillEvents, fillChangeRequests, project }
