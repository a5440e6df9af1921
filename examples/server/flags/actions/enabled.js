const { readPlace } = require('../reads')
const { readDefaultStrategy } = require('../default-strategy')
const { addStrategy, updateStrategy } = require('./strategies')

async function updateEnabled(context, { feature, payload }) {
  const { trx, environment } = context
  const { enabled } = await readPlace(trx, feature, environment)
  if (enabled === payload.enabled) return
  if (payload.enabled) await provideStrategy(context, feature, payload)
  await switchTo(context, feature, payload.enabled)
}

/**
 * A flag must not be enabled without a strategy. The router passes these changes after all strategies, including the default
 * one.
 */
async function provideStrategy(context, feature, { shouldActivateDisabledStrategies }) {
  const { trx, project, environment, earlierStrategies } = context
  const { strategies } = await readPlace(trx, feature, environment)
  if (shouldActivateDisabledStrategies) {
    const earlier = strategies.filter(({ id }) => earlierStrategies.get(feature).has(id))
    if (earlier.some(({ disabled }) => !disabled)) return
    for (const { id } of earlier) await updateStrategy(context, { feature, payload: { id, disabled: false } })
  } else if (strategies.every(({ disabled }) => disabled)) {
    const defaultStrategy = await readDefaultStrategy(trx, project, environment)
    await addStrategy(context, { feature, payload: defaultStrategy ?? allUsers(feature) })
  }
}

/** An enabled flag is disabled when its last active strategy is removed. */
async function disableWithoutStrategies(context, feature) {
  const { trx, environment } = context
  const { archived } = await trx('flag_features').where({ name: feature }).first()
  const { enabled, strategies } = await readPlace(trx, feature, environment)
  if (archived || !enabled || strategies.some(({ disabled }) => !disabled)) return
  await switchTo(context, feature, false)
}

async function switchTo({ trx, environment, events }, feature, enabled) {
  await trx('flag_feature_environments')
    .insert({ feature, environment, enabled })
    .onConflict(['feature', 'environment'])
    .merge()
  events.push({ type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, featureName: feature })
}

function allUsers(feature) {
  return { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: feature } }
}

module.exports = { disableWithoutStrategies, updateEnabled }
