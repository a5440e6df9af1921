const { conflict } = require('../conflict')
const { readPlace } = require('../reads')
const { insertVariants } = require('../writes')
const { removeDependencies } = require('./dependencies')

async function archiveFeature(context, { feature }) {
  const { trx, events } = context
  const children = await trx('flag_dependencies').where({ parent: feature }).orderBy('feature').pluck('feature')
  if (children.length > 0) throw conflict(`${feature}: These flags depend on it: ${children.join(', ')}.`)
  await trx('flag_features').where({ name: feature }).update({ archived: true })
  events.push({ type: 'feature-archived', featureName: feature, environment: null })
  await removeDependencies(context, feature)
}

async function patchVariant({ trx, environment, events }, { feature, payload }) {
  const before = await readPlace(trx, feature, environment)
  await trx('flag_variants').where({ feature, environment }).delete()
  await insertVariants(trx, { feature, environment }, payload.variants)
  events.push({
    type: 'feature-environment-variants-updated',
    featureName: feature,
    data: { variants: payload.variants },
    preData: { variants: before.variants },
  })
}

module.exports = { archiveFeature, patchVariant }
