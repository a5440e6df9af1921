const { conflict } = require('../conflict')
const { readPlace, segmentsOf } = require('../reads')
const { deleteStrategies, insertStrategy, replaceStrategy } = require('../writes')

async function addStrategy(context, { feature, payload }) {
  const { trx, project, environment, events } = context
  await requireSegments(trx, project, payload.segments ?? [])
  // The store assigns the id and ignores an id in the payload.
  const id = await insertStrategy(trx, { feature, environment }, { ...payload, id: undefined })
  const data = await readStrategy(context, feature, id)
  events.push({ type: 'feature-strategy-add', featureName: feature, data })
}

async function updateStrategy(context, { feature, payload }) {
  const { trx, project, events, weakened } = context
  const before = await readStrategy(context, feature, payload.id)
  if (before === undefined) throw conflict(`${feature}: Strategy has been deleted`)
  await requireSegments(trx, project, payload.segments ?? [])
  // Null is a value only for the title; elsewhere it is ignored.
  const disabled = payload.disabled ?? before.disabled
  await replaceStrategy(trx, { ...before, ...payload, disabled })
  const data = await readStrategy(context, feature, payload.id)
  events.push({ type: 'feature-strategy-update', featureName: feature, data, preData: before })
  if (!before.disabled) weakened.add(feature)
}

async function deleteStrategy(context, { feature, payload }) {
  const { trx, events, weakened } = context
  const preData = await readStrategy(context, feature, payload.id)
  if (preData === undefined) return
  await deleteStrategies(trx, { id: payload.id })
  events.push({ type: 'feature-strategy-remove', featureName: feature, preData })
  if (!preData.disabled) weakened.add(feature)
}

async function reorderStrategy({ trx, environment, events }, { feature, payload }) {
  const before = await strategyIds(trx, feature, environment)
  for (const { id, sortOrder } of payload) {
    if (!before.includes(id)) throw conflict(`${feature}: Strategy has been deleted`)
    await trx('flag_strategies').where({ id }).update({ sort_order: sortOrder })
  }
  events.push({
    type: 'strategy-order-changed',
    featureName: feature,
    data: { strategyIds: await strategyIds(trx, feature, environment) },
    preData: { strategyIds: before },
  })
}

async function strategyIds(trx, feature, environment) {
  const { strategies } = await readPlace(trx, feature, environment)
  return strategies.map(({ id }) => id)
}

/** Undefined if the flag does not have the strategy in the environment. */
async function readStrategy({ trx, environment }, feature, id) {
  const { strategies } = await readPlace(trx, feature, environment)
  return strategies.find((strategy) => strategy.id === id)
}

async function requireSegments(trx, project, wanted) {
  // The API allows any number; the column stores integers.
  const known = await segmentsOf(trx, project).whereIn('id', wanted.filter(Number.isSafeInteger)).pluck('id')
  const missing = wanted.find((id) => !known.map(Number).includes(id))
  if (missing !== undefined) throw conflict(`The project has no segment ${missing}.`)
}

module.exports = { addStrategy, deleteStrategy, reorderStrategy, requireSegments, updateStrategy }
