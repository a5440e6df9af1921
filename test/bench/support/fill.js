const { connect } = require('./databases')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../build/kernel/events/event-rows.js')
const { copyEvents, isPostgres } = require('../data/copy')
const { changeRequests, draft, project, searchDraft, texts } = require('../data/drafts')
const { progress } = require('./figures')

const seed = 20_000
const listSize = 1_000
const recountTimeoutMs = 600_000

/**
 * Fills a log under its own table prefix with `rows` events, each about 1.3 KB as JSON, by default of one project, else
 * from `make(n)`. Returns how long the recount took, if there was one.
 */
async function fillEvents(database, tablePrefix, rows, make = draft) {
  const knex = connect(database.config)
  const storage = knexStorage({ knex, tablePrefix, statementTimeoutMs: recountTimeoutMs })
  const started = performance.now()
  let recountMs
  try {
    await storage.migrate()
    const first = Math.min(rows, seed)
    for (let from = 0; from < first; from += listSize) {
      const drafts = Array.from({ length: Math.min(listSize, first - from) }, (_, index) => make(from + index))
      await storage.appendEvents(toEventRows(drafts, ''))
    }
    if (rows > first) {
      await copyEvents(knex, `${tablePrefix}events`, { first, rows })
      recountMs = await count(knex, storage, tablePrefix)
    }
    // Autovacuum would do this within a minute.
    if (database.name === 'postgres') {
      await knex.raw(`${rows > first ? '' : 'vacuum '}analyze ${tablePrefix}events`)
      await knex.raw(`analyze ${tablePrefix}event_postings, ${tablePrefix}event_tallies`)
    }
    if (database.name === 'sqlite') await knex.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await storage.close()
    await knex.destroy()
  }
  progress(`${database.name}: ${rows} events in ${Math.round((performance.now() - started) / 1_000)} s`)
  return { recountMs }
}

/** A recount does not lower the newest id of the instance, because it must not fall when events are removed. */
async function count(knex, storage, prefix) {
  const newest = knex(`${prefix}events`).max('id')
  await knex(`${prefix}event_counts`).update({ last_id: newest }).where({ project: '' })
  const started = performance.now()
  await storage.recountEvents()
  return performance.now() - started
}

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

const held = 5_000

/**
 * Fills the tables of both ways with change requests and analyzes them: for empty tables Postgres chooses plans that
 * scan, and keeps those of named statements until the next ANALYZE.
 */
async function fillChangeRequests(database, prefix, { naive = true } = {}) {
  const knex = connect(database.config)
  const numbers = `with recursive g(n) as (select 1 union all select n + 1 from g where n < ${held})`
  const document = JSON.stringify({ text: 'x'.repeat(1_500) })
  try {
    await knex.raw(`insert into ${prefix}change_requests
      (id, project, environment, created_by, state, open, after_review, whole_project, version, created_at, summary,
        document) ${numbers}
      select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', n < 0, n < 0, n < 0, 1, '2026-01-01T00:00:00Z', '{}', '${document}' from g`)
    if (naive) {
      await knex.raw(`insert into ${prefix}requests ${numbers}
        select 1000000000 + n, 'shop', 'old' || n, 1, 'Applied', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' from g`)
      await knex.raw(`insert into ${prefix}changes ${numbers}
        select 1000000000 + n, 1000000000 + n / 5, 'addStrategy', 'checkout', '{}', '2026-01-01T00:00:00Z' from g`)
    }
    await knex.raw('analyze')
  } finally {
    await knex.destroy()
  }
}

module.exports = { fillChangeRequests, fillEvents, fillSubjects, project, searchDraft, texts }
