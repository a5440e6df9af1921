const express = require('express')
const { serve } = require('../../support/child')
const { connect } = require('../../support/databases')
const { mountOurs } = require('../../support/ours')

const { way, config, prefixes } = JSON.parse(process.argv[2])
const app = express()

const ways = { ours: () => mountOurs(app, { config, prefixes }), naive }
ways[way]()
serve(app)

/** The naive way: where, ilike and offset, all counted, parsed and serialized again. */
function naive() {
  const knex = connect(config)
  for (const prefix of prefixes) {
    const events = `${prefix}events`
    const find = async ({ where, offset = 0, limit }) => {
      const rows = knex(events).select('*').where(where).orderBy('id', 'desc').offset(offset)
      const [found, [{ total }]] = await Promise.all([
        limit === undefined ? rows : rows.limit(limit),
        knex(events).where(where).count({ total: '*' }),
      ])
      return { events: found.map(toEvent), total: Number(total) }
    }
    app.get(`/${prefix}/search/events`, async (req, res) => {
      const { offset, limit = '50' } = req.query
      const where = condition(knex, prefix, req.query)
      res.json(await find({ where, offset: Number(offset ?? 0), limit: Number(limit) }))
    })
    app.get(`/${prefix}/events/:featureName`, async (req, res) => {
      const { featureName } = req.params
      const { events: found, total } = await find({ where: { feature_name: featureName } })
      res.json({ version: 1, toggleName: featureName, events: found, totalEvents: total })
    })
    app.get(`/${prefix}/event-creators`, async (_req, res) => {
      const newest = knex(events).max('id').whereNotNull('created_by_user_id').groupBy('created_by_user_id')
      const rows = await knex(events).select('*').whereIn('id', newest).orderBy('created_by_user_id')
      res.json(rows.map(toEvent).map(({ createdByUserId: id, createdBy: name }) => ({ id, name })))
    })
  }
}

function toEvent({ id, body, group_type: groupType, group_id: groupId }) {
  return { id: Number(id), ...JSON.parse(body), groupType, groupId }
}

const columns = { project: 'project', type: 'type', createdBy: 'created_by_user_id' }
const value = (text) => text.slice('IS:'.length)

function condition(knex, prefix, query) {
  const isPostgres = knex.client.driverName === 'pg'
  const changeRequest = isPostgres
    ? `body::json -> 'data' ->> 'changeRequestId'`
    : `cast(body ->> '$.data.changeRequestId' as text)`
  return (where) => {
    for (const [name, column] of Object.entries(columns)) if (query[name]) where.where(column, value(query[name]))
    if (query.from) where.where('created_at', '>=', `${value(query.from)}T00:00:00.000Z`)
    if (query.to) where.where('created_at', '<=', `${value(query.to)}T23:59:59.999Z`)
    if (query.query) where.where('body', isPostgres ? 'ilike' : 'like', `%${query.query}%`)
    if (!query.feature) return
    const feature = value(query.feature)
    const history = knex(`${prefix}change_request_subjects`)
      .select(knex.raw('cast(change_request_id as text)'))
      .where('subject', `feature:${feature}`)
    where.where((either) => either.where('feature_name', feature).orWhereIn(knex.raw(changeRequest), history))
  }
}
