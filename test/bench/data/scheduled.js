const { join } = require('node:path')
const { previewOf } = require('../../../build/kernel/flags/flag-state.js')
const { targetDigests } = require('../../../build/kernel/facts/flags.js')
const { firstWrite } = require('./first-write')

const person = (id) => ({ id, username: `user-${id}`, imageUrl: null })
const strategies = [{ id: 'all', name: 'default', disabled: false }]
const listSize = 500
const build = join(__dirname, '../../../dist')

/** The state of every flag. */
const flagsOf = (features) => ({
  features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies }])),
  segments: new Map(),
})

/** A gateway in the same database, which writes one row for each flag into `table`. */
function rowGateway(table) {
  return {
    transactional: true,
    current: async ({ features }) => flagsOf(features),
    async apply(changes, { transaction }) {
      await transaction(table).insert(changes.map(({ feature }) => ({ flag: feature })))
      return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature }))
    },
  }
}

/** Stores approved change requests, each with its own flag, that are due at the given times, like another process. */
async function storeScheduled(storage, times) {
  for (let from = 0; from < times.length; from += listSize) {
    const list = times.slice(from, from + listSize)
    const ids = await storage.nextIds('changeRequest', list.length)
    await Promise.all(list.map((time, index) => storage.commit(firstWrite(build, scheduled(ids[index], time)))))
  }
}

function scheduled(id, scheduledAt) {
  const feature = `flag-${id}`
  const change = { id, action: 'updateEnabled', feature, payload: { enabled: true } }
  const base = {
    ...{ id, project: 'shop', environment: 'production', title: null, state: 'Scheduled', minApprovals: 1 },
    changes: [{ ...change, createdBy: person(1), createdAt: scheduledAt }],
    ...{ rejections: [], comments: [], requestedApprovers: [], createdBy: person(1), createdAt: scheduledAt },
    stateTimestamps: { Scheduled: scheduledAt },
    schedule: { scheduledAt, status: 'pending', reason: null },
  }
  const flags = flagsOf([feature])
  const { digest } = previewOf(base, flags)
  const by = { person: person(3), signature: 'user-3@example.com', ip: null }
  return {
    ...base,
    approvals: [{ createdBy: person(2), createdAt: scheduledAt, digest }],
    scheduling: { by, targets: targetDigests(base, flags) },
  }
}

module.exports = { rowGateway, storeScheduled }
