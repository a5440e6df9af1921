const { randomUUID } = require('node:crypto')

/** Writes of both the demo and the gateway, within a transaction. */

/** Stores a strategy of a flag in an environment, last unless it has a sort order. Returns its id. */
async function insertStrategy(trx, { feature, environment, milestone = null }, { segments = [], ...strategy }) {
  const { id = randomUUID(), sortOrder = await nextPlace(trx, feature, environment) } = strategy
  const row = { id, feature, environment, milestone, ...toColumns({ ...strategy, sortOrder }) }
  await trx('flag_strategies').insert(row)
  await insertSegments(trx, id, segments)
  return id
}

async function nextPlace(trx, feature, environment) {
  const { last } = await trx('flag_strategies').where({ feature, environment }).max({ last: 'sort_order' }).first()
  return (last ?? -1) + 1
}

async function replaceStrategy(trx, { id, segments, ...strategy }) {
  await trx('flag_strategies').where({ id }).update(toColumns(strategy))
  await trx('flag_strategy_segments').where({ strategy: id }).delete()
  await insertSegments(trx, id, segments)
}

async function deleteStrategies(trx, where) {
  const ids = await trx('flag_strategies').where(where).pluck('id')
  await trx('flag_strategy_segments').whereIn('strategy', ids).delete()
  await trx('flag_strategies').whereIn('id', ids).delete()
}

function toColumns({ name, title, disabled, sortOrder, constraints = [], parameters = {}, variants = [] }) {
  return {
    name,
    title: title ?? null,
    disabled: disabled === true,
    sort_order: sortOrder,
    constraints: JSON.stringify(constraints),
    parameters: JSON.stringify(parameters),
    variants: JSON.stringify(variants),
  }
}

async function insertSegments(trx, strategy, segments) {
  for (const segment of new Set(segments)) await trx('flag_strategy_segments').insert({ strategy, segment })
}

async function insertVariants(trx, place, variants) {
  for (const [position, variant] of variants.entries()) {
    await trx('flag_variants').insert({ ...place, position, variant: JSON.stringify(variant) })
  }
}

module.exports = { deleteStrategies, insertStrategy, insertVariants, replaceStrategy }
