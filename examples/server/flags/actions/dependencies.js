const { conflict } = require('../conflict')
const { readDependencies } = require('../reads')

/** One level, within the project; an existing dependency gets the new conditions. */
async function addDependency({ trx, project, events }, { feature, payload }) {
  const { feature: parent, enabled = true } = payload
  const variants = enabled ? (payload.variants ?? []) : []
  const known = await trx('flag_features').where({ project, name: parent, archived: false })
  if (known.length === 0) throw conflict(`${feature}: Parent feature has been archived`)
  const ofBoth = await trx('flag_dependencies').where({ feature: parent }).orWhere({ parent: feature })
  if (parent === feature || ofBoth.length > 0) {
    throw conflict(`${feature}: It cannot depend on ${parent}: dependencies have one level.`)
  }
  await trx('flag_dependencies')
    .insert({ feature, parent, enabled, variants: JSON.stringify(variants) })
    .onConflict(['feature', 'parent'])
    .merge()
  const data = { feature: parent, enabled, variants }
  events.push({ type: 'feature-dependency-added', featureName: feature, environment: null, data })
}

/** All parents, or the one that the payload names. */
async function deleteDependency(context, { feature, payload }) {
  const { trx, events } = context
  if (payload?.feature === undefined) return removeDependencies(context, feature)
  const dependencies = (await readDependencies(trx, [feature]))(feature)
  const preData = dependencies.find((dependency) => dependency.feature === payload.feature)
  if (preData === undefined) return
  await trx('flag_dependencies').where({ feature, parent: preData.feature }).delete()
  events.push({ type: 'feature-dependency-removed', featureName: feature, environment: null, preData })
}

async function removeDependencies({ trx, events }, feature) {
  const removed = await trx('flag_dependencies').where({ feature }).delete()
  if (removed > 0) events.push({ type: 'feature-dependencies-removed', featureName: feature, environment: null })
}

module.exports = { addDependency, deleteDependency, removeDependencies }
