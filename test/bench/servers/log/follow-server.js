const express = require('express')
const { setTimeout } = require('node:timers/promises')
const { serve } = require('../../support/child')
const { connect } = require('../../support/databases')
const { now } = require('../../support/followers')
const { mountOurs } = require('../../support/ours')
const { countStatements } = require('../../support/statements')
const { knexStorage } = require('../../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../../build/kernel/events/event-rows.js')

const { way, config, prefixes, pollMs, notify } = JSON.parse(process.argv[2])
const statements = countStatements()
const app = express()

const ways = { ours, naive, limit }
const { storage, appended = () => {} } = ways[way]()
let started

serve(app, {
  append,
  measure() {
    started = { at: now(), statements: statements(), cpu: process.cpuUsage() }
  },
  measured() {
    const { user, system } = process.cpuUsage(started.cpu)
    const seconds = (now() - started.at) / 1_000
    return {
      statements: (statements() - started.statements) / seconds,
      cpuMs: (user + system) / 1_000 / seconds,
    }
  },
})

function ours() {
  const storageOptions = notify ? { notify } : {}
  const storages = mountOurs(app, { config, prefixes, storageOptions, limits: { followPollMs: pollMs } })
  return { storage: storages[prefixes[0]] }
}

/** The naive way: each follower polls for new events. */
function naive() {
  const knex = connect(config)
  const [prefix] = prefixes
  app.get(`/${prefix}/events`, async (_req, res) => {
    const [{ newest }] = await knex(`${prefix}events`).max({ newest: 'id' })
    let last = Number(newest ?? 0)
    res.setHeader('Content-Type', 'text/event-stream')
    res.write(`id: ${last}\n\n`)
    const poll = async () => {
      const rows = await knex(`${prefix}events`).select('*').where('id', '>', last).orderBy('id')
      for (const { id, body } of rows) {
        last = Number(id)
        res.write(`id: ${id}\ndata: ${JSON.stringify({ id: last, ...JSON.parse(body) })}\n\n`)
      }
      if (!res.destroyed) timer = globalThis.setTimeout(poll, pollMs)
    }
    let timer = globalThis.setTimeout(poll, pollMs * Math.random())
    res.on('close', () => clearTimeout(timer))
  })
  return { storage: knexStorage({ knex, tablePrefix: prefix }) }
}

/** Without any read: committed events are written to all sockets immediately. */
function limit() {
  const [prefix] = prefixes
  const followers = new Set()
  app.get(`/${prefix}/events`, (_req, res) => {
    res.setHeader('Content-Type', 'text/event-stream')
    res.write('id: 0\n\n')
    followers.add(res)
    res.on('close', () => followers.delete(res))
  })
  return {
    storage: knexStorage({ knex: connect(config), tablePrefix: prefix }),
    appended(row) {
      const block = Buffer.from(`id: 1\ndata: {"id":1,${row.json.slice(1)}\n\n`)
      for (const follower of followers) follower.write(block)
    },
  }
}

/** Appends events one by one at irregular times; returns when each commit was known. */
async function append({ first, count, everyMs }) {
  const committed = []
  for (let number = first; number < first + count; number += 1) {
    await setTimeout(everyMs * (0.5 + Math.random()))
    const [row] = toEventRows([draft(number)], '')
    await storage.appendEvents([row])
    committed.push(now())
    appended(row)
  }
  return committed
}

function draft(marker) {
  return {
    type: 'feature-updated',
    createdAt: new Date().toISOString(),
    createdBy: 'bench',
    createdByUserId: 1,
    environment: null,
    project: 'live',
    featureName: 'checkout',
    data: { marker, description: 'x'.repeat(500) },
    preData: null,
    tags: [],
    ip: null,
    groupType: null,
    groupId: null,
  }
}
