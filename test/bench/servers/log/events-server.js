const express = require('express')
const { connect } = require('../../support/databases')
const { serve } = require('../../support/child')
const { neverTheSame } = require('../../support/never-the-same')
const { createChangeRequestRouter } = require('../../../../dist/index.js')
const { knexStorage } = require('../../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../../build/kernel/events/event-rows.js')

const { way, config, prefixes, project } = JSON.parse(process.argv[2])
const knex = connect(config)
const app = express()
const commands = {}

const actor = { id: null, grants: [{ permission: 'ADMIN' }] }
const mount = (basePath, storage) =>
  app.use(
    createChangeRequestRouter({ storage, basePath, authenticate: () => actor, limits: { streamTimeoutMs: 5_000 } }),
  )

const ways = { ours, naive, limit }
void ways[way]().then(() => serve(app, commands))

async function ours() {
  const storages = {}
  for (const prefix of prefixes) {
    const storage = knexStorage({ knex, tablePrefix: prefix })
    storages[prefix] = storage
    mount(`/${prefix}`, storage)
    mount(`/cold/${prefix}`, neverTheSame(storage))
  }
  commands.append = ({ prefix, everyMs }) => appendEvery(storages[prefix], everyMs)
  commands.appendNoMore = () => stopAppending?.()
}

let stopAppending

function appendEvery(storage, everyMs) {
  const event = { type: 'feature-updated', createdAt: new Date().toISOString(), createdBy: 'bench', createdByUserId: 1 }
  const rest = { environment: null, project, featureName: 'checkout', data: { n: 1 }, preData: null, tags: [] }
  const rows = toEventRows([{ ...event, ...rest, ip: null, groupType: null, groupId: null }], '')
  let last = Promise.resolve()
  const timer = setInterval(() => {
    last = storage.appendEvents(rows)
  }, everyMs)
  stopAppending = () => {
    clearInterval(timer)
    return last
  }
}

/** The naive way: all rows, parsed, counted and serialized again. */
async function naive() {
  for (const prefix of prefixes) {
    app.get(`/${prefix}/events`, async (req, res) => {
      const scope = req.query.project === undefined ? {} : { project: req.query.project }
      const query = knex(`${prefix}events`).select('id', 'body').where(scope).orderBy('id', 'desc')
      const [rows, [{ total }]] = await Promise.all([
        scope.project === undefined ? query.limit(100) : query,
        knex(`${prefix}events`).where(scope).count({ total: '*' }),
      ])
      const events = rows.map(({ id, body }) => ({ id: Number(id), ...JSON.parse(body) }))
      res.json({ version: 1, events, totalEvents: Number(total) })
    })
  }
}

/** The same bytes from memory: what Express and the socket allow. */
async function limit() {
  const prefix = prefixes[0]
  const storage = knexStorage({ knex, tablePrefix: prefix })
  const all = await bytes(storage, { project }, Number.MAX_SAFE_INTEGER)
  const newest = await bytes(storage, {}, 100)
  app.get(`/${prefix}/events`, (req, res) => {
    const body = req.query.project === undefined ? newest : all
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('Content-Length', body.length)
    res.end(body)
  })
}

async function bytes(storage, scope, max) {
  const { lastId, total } = await storage.eventHead(scope)
  const pieces = []
  for (let before = lastId + 1, left = Math.min(max, total); left > 0; ) {
    const page = await storage.eventPage(scope, { before }, Math.min(500, left))
    pieces.push(Buffer.from(pieces.length === 0 ? '{"version":1,"events":[' : ','), page.json)
    before = page.lastId
    left -= page.count
  }
  return Buffer.concat([...pieces, Buffer.from(`],"totalEvents":${total}}`)])
}
