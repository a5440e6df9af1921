const express = require('express')
const { serve } = require('../../support/child')
const { connect } = require('../../support/databases')

const { config, prefix, writers, lock, counts, together } = JSON.parse(process.argv[2])

const commit = require('../../../../build/storage/sql/postgres/commit.js')
const { commitStatement, appendLock } = commit

/** The commit statement, unchanged or without the lock that keeps the order. Replaces the export before the storage loads it. */
commit.commitStatement = (names, ...rest) => {
  const text = commitStatement(names, ...rest)
  const unlocked = lock
    ? text
    : replaced(text, `select ${appendLock(names)} from before_lock`, 'select 1 from before_lock')
  // All writers update the same rows of counts, so they wait for each other there as well.
  return counts
    ? unlocked
    : replaced(unlocked, /,\s*counted as \([\s\S]*\)\s*(select n, case [\s\S]*from won.*)$/, ' $1')
}

function replaced(text, part, by) {
  const changed = text.replace(part, by)
  if (changed === text) throw new Error('The commit statement has changed: adapt this bench.')
  return changed
}

const { knexStorage } = require('../../../../build/storage/knex/index.js')
const { toEventRows } = require('../../../../build/kernel/events/event-rows.js')

const knex = connect(config)
const open = () => knexStorage({ knex, tablePrefix: prefix, acquireTimeoutMs: 10_000, lockTimeoutMs: 10_000 })
const shared = open()
// A separate storage shares no commits with the others.
const storages = Array.from({ length: writers }, () => (together ? shared : open()))

serve(express(), {
  async write(ms) {
    const end = performance.now() + ms
    const written = await Promise.all(storages.map((storage, index) => write(storage, index, end)))
    return written.reduce((sum, count) => sum + count, 0)
  },
})

/** Two events per write, as when a change is added to a change request. */
async function write(storage, index, end) {
  const rows = toEventRows([draft(index), draft(index)], '')
  let written = 0
  while (performance.now() < end) {
    await storage.appendEvents(rows)
    written += rows.length
  }
  return written
}

function draft(index) {
  return {
    type: 'feature-updated',
    createdAt: new Date().toISOString(),
    createdBy: 'bench',
    createdByUserId: index,
    environment: null,
    project: 'shop',
    featureName: 'checkout',
    data: { description: 'x'.repeat(500) },
    preData: null,
    tags: [],
    ip: null,
    groupType: null,
    groupId: null,
  }
}
