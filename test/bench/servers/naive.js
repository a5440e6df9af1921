const express = require('express')
const { serve } = require('../support/child')
const { connect } = require('../support/databases')

/**
 * What a host would write itself, on the tables of ours: rows are selected, counted, parsed and serialized again, a proposal is a
 * transaction of six statements, and each follower polls.
 */
const { config } = JSON.parse(process.argv[2])
const knex = connect(config)
const app = express().use(express.json())
const events = 'ffcr_events'
const pollMs = 250
const toEvent = ({ id, body }) => ({ id: Number(id), ...JSON.parse(body) })

async function find({ where = {}, offset = 0, limit }) {
  const rows = knex(events).select('id', 'body').where(where).orderBy('id', 'desc').offset(offset)
  const [found, [{ total }]] = await Promise.all([
    limit === undefined ? rows : rows.limit(limit),
    knex(events).where(where).count({ total: '*' }),
  ])
  return { events: found.map(toEvent), total: Number(total) }
}

app.get('/log/events', async (req, res) => {
  const { project } = req.query
  if (req.headers.accept === 'text/event-stream') return follow(res)
  if (req.headers.accept !== undefined) return exportAll(req, res)
  const { events: found, total } = await find(project === undefined ? { limit: 100 } : { where: { project } })
  res.json({ version: 1, events: found, totalEvents: total })
})

async function exportAll({ query: { project }, headers: { accept } }, res) {
  const rows = await knex(events).select('id', 'body').where({ project }).orderBy('id', 'desc')
  const line = accept === 'text/csv' ? toCsv : JSON.stringify
  res.setHeader('Content-Type', accept)
  for (const row of rows) {
    if (!res.write(`${line(toEvent(row))}\n`)) await new Promise((resolve) => res.once('drain', resolve))
  }
  res.end()
}

function toCsv(event) {
  return Object.values(event)
    .map((cell) => `"${(typeof cell === 'string' ? cell : JSON.stringify(cell)).replaceAll('"', '""')}"`)
    .join(',')
}

async function follow(res) {
  const [{ newest }] = await knex(events).max({ newest: 'id' })
  let last = Number(newest ?? 0)
  res.setHeader('Content-Type', 'text/event-stream')
  res.write(`id: ${last}\n\n`)
  const poll = async () => {
    for (const row of await knex(events).select('id', 'body').where('id', '>', last).orderBy('id')) {
      last = Number(row.id)
      res.write(`id: ${last}\ndata: ${JSON.stringify(toEvent(row))}\n\n`)
    }
    if (!res.destroyed) timer = setTimeout(poll, pollMs)
  }
  let timer = setTimeout(poll, pollMs * Math.random())
  res.on('close', () => clearTimeout(timer))
}

app.get('/log/search/events', async ({ query }, res) => {
  const columns = { project: 'project', type: 'type', createdBy: 'created_by_user_id', feature: 'feature_name' }
  const value = (name) => query[name].slice('IS:'.length)
  const where = (builder) => {
    for (const [name, column] of Object.entries(columns)) if (query[name]) builder.where(column, value(name))
    if (query.environment) builder.where('environment', value('environment'))
    if (query.query) builder.where('body', config.client === 'pg' ? 'ilike' : 'like', `%${query.query}%`)
  }
  res.json(await find({ where, offset: Number(query.offset ?? 0), limit: 50 }))
})

app.get('/log/events/:featureName', async ({ params }, res) => {
  const { events: found, total } = await find({ where: { feature_name: params.featureName } })
  res.json({ version: 1, toggleName: params.featureName, events: found, totalEvents: total })
})

app.get('/log/event-creators', async (_req, res) => {
  const newest = knex(events).max('id').whereNotNull('created_by_user_id').groupBy('created_by_user_id')
  const rows = await knex(events).select('id', 'body').whereIn('id', newest).orderBy('created_by_user_id')
  res.json(rows.map(toEvent).map(({ createdByUserId: id, createdBy: name }) => ({ id, name })))
})

/** Six statements through Knex, each a round trip. */
app.post('/log/projects/:project/environments/:environment/change-requests', async (req, res) => {
  const { project, environment } = req.params
  const now = new Date().toISOString()
  const key = { project, environment, created_by: Number(req.headers.authorization) }
  const changeRequest = await knex.transaction(async (trx) => {
    const settings = await trx('naive_settings').where({ project }).first()
    const open = await trx('naive_requests').where(key).forUpdate().first()
    const [{ id }] =
      open === undefined
        ? await trx('naive_requests')
            .insert({ ...key, updated_at: now })
            .returning('id')
        : await trx('naive_requests').where({ id: open.id }).update({ updated_at: now }).returning('id')
    await trx('naive_changes').insert({ request_id: id, payload: JSON.stringify(req.body) })
    await trx('naive_log').insert({ type: 'change-added', project, body: JSON.stringify({ ...key, data: req.body }) })
    const changes = await trx('naive_changes').where({ request_id: id }).orderBy('id')
    const { min_approvals: minApprovals = 1 } = settings ?? {}
    return { id, ...key, minApprovals, changes: changes.map(({ payload }) => JSON.parse(payload)) }
  })
  res.json(changeRequest)
})

async function createTables() {
  // As durable as ours; the default of the driver does not flush each commit.
  if (config.client !== 'pg')
    for (const setting of ['journal_mode = wal', 'synchronous = full']) await knex.raw(`pragma ${setting}`)
  await knex.schema.createTable('naive_settings', (table) => {
    table.string('project').notNullable().primary()
    table.integer('min_approvals').notNullable()
  })
  await knex.schema.createTable('naive_requests', (table) => {
    table.bigIncrements('id')
    table.string('project').notNullable()
    table.string('environment').notNullable()
    table.integer('created_by').notNullable()
    table.string('updated_at').notNullable()
    table.unique(['project', 'environment', 'created_by'])
  })
  await knex.schema.createTable('naive_changes', (table) => {
    table.bigIncrements('id')
    table.bigInteger('request_id').notNullable().index()
    table.text('payload').notNullable()
  })
  await knex.schema.createTable('naive_log', (table) => {
    table.bigIncrements('id')
    table.string('type').notNullable()
    table.string('project').index()
    table.text('body').notNullable()
  })
}

/** Selects rows and stores a position after each batch, without leases and filters. */
async function consume({ name, count, batchSize }) {
  const table = name.replaceAll('-', '_')
  await knex.schema.createTable(table, (columns) => columns.bigInteger('position'))
  await knex(table).insert({ position: 0 })
  const started = performance.now()
  let [seen, position] = [0, 0]
  while (seen < count) {
    const rows = await knex(events).select('id', 'body').where('id', '>', position).orderBy('id').limit(batchSize)
    for (const { body } of rows) JSON.parse(body)
    seen += rows.length
    position = rows.at(-1).id
    await knex(table).update({ position })
  }
  return (seen / (performance.now() - started)) * 1_000
}

void createTables().then(() => serve(app, { consume }))
