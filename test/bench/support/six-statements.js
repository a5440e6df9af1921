const { toEventRows } = require('../../../build/kernel/events/event-rows.js')
const { decideAdd } = require('./decide')

/** The obvious tables: one row per change request, per change and per event. */
async function createNaiveTables(knex, prefix) {
  if (knex.client.driverName === 'better-sqlite3') {
    await knex.raw('pragma journal_mode = wal')
    await knex.raw('pragma synchronous = full')
  }
  await knex.schema.createTable(`${prefix}naive_settings`, (table) => {
    table.string('project').notNullable().primary()
    table.integer('min_approvals').notNullable()
  })
  await knex.schema.createTable(`${prefix}requests`, (table) => {
    table.bigIncrements('id')
    table.string('project').notNullable()
    table.string('environment').notNullable()
    table.integer('created_by').notNullable()
    table.string('state').notNullable()
    table.string('created_at').notNullable()
    table.string('updated_at').notNullable()
    table.unique(['project', 'environment', 'created_by'])
  })
  await knex.schema.createTable(`${prefix}changes`, (table) => {
    table.bigIncrements('id')
    table.bigInteger('request_id').notNullable().index()
    table.string('action').notNullable()
    table.string('feature')
    table.text('payload').notNullable()
    table.string('created_at').notNullable()
  })
  await knex.schema.createTable(`${prefix}log`, (table) => {
    table.bigIncrements('id')
    table.string('type').notNullable()
    table.string('project').index()
    table.text('body').notNullable()
  })
}

/** One transaction of six statements through Knex, each a round trip. */
function addNaively(knex, prefix, { project, environment, caller, changes }) {
  const now = new Date().toISOString()
  return knex.transaction(async (trx) => {
    const settings = await trx(`${prefix}naive_settings`).where({ project }).first()
    const key = { project, environment, created_by: caller }
    const open = await trx(`${prefix}requests`)
      .where({ ...key, state: 'Draft' })
      .forUpdate()
      .first()
    const [{ id }] =
      open === undefined
        ? await trx(`${prefix}requests`)
            .insert({ ...key, state: 'Draft', created_at: now, updated_at: now })
            .returning('id')
        : await trx(`${prefix}requests`).where({ id: open.id }).update({ updated_at: now }).returning('id')
    const [change] = changes
    const row = { request_id: id, action: change.action, feature: change.feature, created_at: now }
    await trx(`${prefix}changes`).insert({ ...row, payload: JSON.stringify(change.payload) })
    const { changeRequest, events } = decide([change], { id: Number(id), project, environment, caller, settings })
    const logged = toEventRows(open === undefined ? events : events.slice(1), '')
    await trx(`${prefix}log`).insert(logged.map(({ type, json }) => ({ type, project, body: json })))
    const rows = await trx(`${prefix}changes`).where({ request_id: id }).orderBy('id')
    return { ...changeRequest, changes: rows.map((stored) => toChange(stored, changeRequest.createdBy)) }
  })
}

function decide(changes, { id, project, environment, caller: userId, settings }) {
  const requiredApprovals = settings?.min_approvals
  return decideAdd(undefined, {
    fresh: { id, project, environment },
    userId,
    changes,
    changeIds: [1],
    requiredApprovals,
  })
}

function toChange({ id, action, feature, payload, created_at: createdAt }, createdBy) {
  return { id: Number(id), action, feature, payload: JSON.parse(payload), createdBy, createdAt }
}

module.exports = { createNaiveTables, addNaively }
