const { archiveFeature, patchVariant } = require('./actions/features')
const { addDependency, deleteDependency } = require('./actions/dependencies')
const { disableWithoutStrategies, updateEnabled } = require('./actions/enabled')
const {
  addReleasePlan,
  deleteReleasePlan,
  startMilestone,
  updateMilestoneStrategy,
} = require('./actions/release-plans')
const { deleteSegment, updateSegment } = require('./actions/segments')
const { addStrategy, deleteStrategy, reorderStrategy, updateStrategy } = require('./actions/strategies')
const { conflict } = require('./conflict')
const { readPlace } = require('./reads')

/** The function that applies each action: `(context, change)`. */
const actions = new Map(
  Object.entries({
    addDependency,
    addReleasePlan,
    addStrategy,
    archiveFeature,
    deleteDependency,
    deleteReleasePlan,
    deleteSegment,
    deleteStrategy,
    patchVariant,
    reorderStrategy,
    startMilestone,
    updateEnabled,
    updateMilestoneStrategy,
    updateSegment,
    updateStrategy,
  }),
)

/** A flag gateway for the flag store, in the transaction of the router. */
function createFlagGateway(store) {
  return {
    transactional: true,
    actions: [...actions.keys()],
    current: (subjects, options) => store.current(subjects, options),
    async apply(changes, { transaction: trx, project, environment }) {
      const context = { trx, project, environment, weakened: new Set(), events: [] }
      await lock(context, changes)
      context.earlierStrategies = await strategiesToActivate(context, changes)
      for (const change of changes) {
        const applyChange = actions.get(change.action)
        if (applyChange === undefined) throw conflict(`The example store does not support ${change.action}.`)
        if (change.feature !== null) await requireFlag(context, change.feature)
        const before = context.events.length
        await applyChange(context, change)
        // With the id of its change, the router can revert it.
        for (const event of context.events.slice(before)) event.changeId = change.id
      }
      for (const feature of context.weakened) await disableWithoutStrategies(context, feature)
      return context.events
    },
  }
}

/** Enabling a flag with its disabled strategies activates those it had before, not those added together with it. */
async function strategiesToActivate({ trx, environment }, changes) {
  const earlier = new Map()
  for (const { feature } of changes.filter(({ payload }) => payload.shouldActivateDisabledStrategies)) {
    const { strategies } = await readPlace(trx, feature, environment)
    earlier.set(feature, new Set(strategies.map(({ id }) => id)))
  }
  return earlier
}

/** `current` has already locked the flags and segments of the changes; parents are locked here. */
async function lock({ trx, project }, changes) {
  const parents = changes.filter(({ action }) => action === 'addDependency').map(({ payload }) => payload.feature)
  await trx('flag_features').where({ project }).whereIn('name', parents).orderBy('name').forUpdate().select('name')
}

async function requireFlag({ trx, project }, name) {
  const flag = await trx('flag_features').where({ project, name }).first()
  if (flag === undefined) throw conflict(`${name}: Feature has been deleted`)
  if (flag.archived) throw conflict(`${name}: Feature has been archived`)
}

module.exports = { createFlagGateway }
