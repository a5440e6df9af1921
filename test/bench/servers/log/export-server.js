const express = require('express')
const { serve } = require('../../support/child')
const { connect } = require('../../support/databases')
const { mountOurs } = require('../../support/ours')

const { way, config, prefixes } = JSON.parse(process.argv[2])
const app = express()

const ways = { ours: () => mountOurs(app, { config, prefixes }), naive }
ways[way]()
serve(app)

/** The naive way: all rows, each parsed and serialized again. */
function naive() {
  const knex = connect(config)
  for (const prefix of prefixes) {
    app.get(`/${prefix}/events`, async (req, res) => {
      const { project } = req.query
      const rows = await knex(`${prefix}events`).select('*').where({ project }).orderBy('id', 'desc')
      const line = req.headers.accept === 'text/csv' ? toCsv : JSON.stringify
      res.setHeader('Content-Type', req.headers.accept)
      for (const { id, body } of rows) {
        const event = { id: Number(id), ...JSON.parse(body) }
        if (!res.write(`${line(event)}\n`)) await drained(res)
      }
      res.end()
    })
  }
}

function toCsv(event) {
  return Object.values(event)
    .map((cell) => `"${(typeof cell === 'string' ? cell : JSON.stringify(cell)).replaceAll('"', '""')}"`)
    .join(',')
}

function drained(res) {
  return new Promise((resolve) => {
    res.once('drain', resolve)
  })
}
