const { execFile } = require('node:child_process')
const { setTimeout } = require('node:timers/promises')
const { parseArgs, promisify } = require('node:util')
const createKnex = require('knex')
const { apiKeys, createChangeRequestRouter, verifyStorage } = require('../../dist')
const { knexStorage } = require('../../dist/storage/knex')
const { createClient } = require('../../dist/client')
const { openDatabase } = require('./support/databases')

/*
 * Measures verifyStorage in a process of its own: how long it takes, how much its memory grows, and how much it slows down
 * writers. `node test/bench/verify.js --database sqlite --requests 100000`, after `npm run build`. Each change request has ten
 * events. The exit code is 1 if a limit is missed.
 */

const limits = { minutes: 3, growthMb: 150, writers: 0.9 }
const eventsPerSecond = 1_000
const people = [1, 2].map((id) => ({
  key: `key-of-user-${id}-0123456789`,
  user: { id, username: `user-${id}` },
  grants: [{ permission: 'ADMIN' }],
}))
const strategies = [{ id: 'all', name: 'default', disabled: false }]
const flags = {
  current: async ({ features = [] }) => ({
    features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies }])),
    segments: new Map(),
  }),
  apply: async (changes) =>
    changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature, data: { feature } })),
}

/** One applied change request as it is stored, and its events. */
async function originalOf(storage) {
  const express = require('express')
  const router = createChangeRequestRouter({ storage, authenticate: apiKeys(people), flags, logger: false })
  const server = express().use(router).listen(0)
  const api = `http://127.0.0.1:${server.address().port}/api/admin`
  const [author, reviewer] = people.map(({ key }) => createClient({ api, headers: { Authorization: key } }))
  const place = { project: 'shop', environment: 'production' }
  const changes = ['search', 'checkout'].map((feature) => {
    return { action: 'updateEnabled', feature, payload: { enabled: true } }
  })
  const { body } = await author.propose(place, changes)
  const of = { project: 'shop', id: body.id }
  await author.setState(of, { state: 'In review' })
  await author.comment(of, { text: 'The dashboards are ready. '.repeat(10) })
  await reviewer.setState(of, { state: 'Approved' })
  await reviewer.setState(of, { state: 'Applied' })
  server.close()
  await router.close()
  const [stored] = (await storage.inspect.changeRequests({ after: null, limit: 1, bytes: 2 ** 20 })).items
  const { items: events } = await storage.inspect.events({ after: null, limit: 100, bytes: 2 ** 20 })
  return { stored, events, next: body.id + 1 }
}

/** Commits a copy under another id. */
async function copy(storage, { stored, events }, id) {
  const renamed = (text) => text.replaceAll(`"changeRequestId":${stored.id}`, `"changeRequestId":${id}`)
  const { open, dueAt, applyingSince } = stored.columns
  return storage.commit({
    changeRequest: { ...stored.changeRequest, id },
    summary: { ...JSON.parse(stored.summary), id },
    searchText: stored.searchText,
    subjects: stored.subjects.map((one) => one.replace(`change request ${stored.id}`, `change request ${id}`)),
    ...{ open, dueAt, applyingSince, version: 1, expectedVersion: 0, before: null },
    events: events.map(({ columns: { createdByKind: _, ...columns }, json }) => {
      return { ...columns, changeRequestId: columns.changeRequestId && id, json: renamed(json) }
    }),
  })
}

async function fill(storage, original, count) {
  let next = original.next
  const end = next + count
  const work = async () => {
    while (next < end) await copy(storage, original, next++)
  }
  await Promise.all(Array.from({ length: 50 }, work))
  return end
}

/** Commits at {@link eventsPerSecond} until the work ends, and returns the rate that was reached. */
async function writeDuring(storage, original, from, work) {
  let isRunning = true
  const done = work().finally(() => {
    isRunning = false
  })
  const start = performance.now()
  let written = 0
  const pending = new Set()
  while (isRunning) {
    const due = ((performance.now() - start) / 1_000) * (eventsPerSecond / original.events.length)
    for (; written < due && pending.size < 50; written += 1) {
      const one = copy(storage, original, from + written).finally(() => pending.delete(one))
      pending.add(one)
    }
    await setTimeout(5)
  }
  await Promise.all(pending)
  const rate = (written * original.events.length * 1_000) / (performance.now() - start)
  return { rate, next: from + written, result: await done }
}

const verifyElsewhere = async (config) => {
  const args = [__filename, '--child', JSON.stringify(config)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

/** In the process of its own. */
async function child(config) {
  const knex = createKnex(config)
  const storage = knexStorage({ knex })
  await storage.inspect.events({ after: null, limit: 500, bytes: 2 ** 22 })
  const before = process.memoryUsage.rss()
  let most = before
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const onProgress = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const { checked, findings, total } = await verifyStorage(storage, { onProgress })
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  console.log(
    JSON.stringify({
      ...{ checked, findings: findings.slice(0, 5), total, seconds, cpuSeconds },
      growthMb: (most - before) / 2 ** 20,
    }),
  )
  await knex.destroy()
}

async function main({ database, requests }) {
  const { config, close } = await openDatabase(database)
  const knex = createKnex({ ...config, ...(database === 'postgres' && { pool: { min: 0, max: 20 } }) })
  try {
    const storage = knexStorage({ knex })
    await storage.migrate()
    const original = await originalOf(storage)
    let next = await fill(storage, original, requests - 1)
    const alone = await verifyElsewhere(config)
    console.log(database, alone)
    const seconds = alone.seconds
    const before = await writeDuring(storage, original, next, () => setTimeout(Math.min(20_000, seconds * 1_000)))
    next = before.next
    const during = await writeDuring(storage, original, next, () => verifyElsewhere(config))
    const writers = during.rate / before.rate
    console.log(database, { before: before.rate, during: during.rate, writers, total: during.result.total })
    const missed = [
      alone.seconds > limits.minutes * 60 && 'time',
      alone.growthMb > limits.growthMb && 'memory',
      writers < limits.writers && 'writers',
      alone.total + during.result.total > 0 && 'findings',
    ].filter(Boolean)
    if (missed.length > 0) {
      console.log(database, 'missed:', missed.join(', '), during.result.findings)
      process.exitCode = 1
    }
  } finally {
    await knex.destroy()
    await close()
  }
}

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    requests: { type: 'string', default: '100000' },
    child: { type: 'string' },
  },
})
if (values.child === undefined) void main({ database: values.database, requests: Number(values.requests) })
else void child(JSON.parse(values.child))
