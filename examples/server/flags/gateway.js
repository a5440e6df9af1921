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

/** How each action is carried out: `(application, change)`. */
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

/** The flag gateway of the router over the flag store, in the router's own transaction. */
function createFlagGateway(store) {
  return {
    transactional: true,
    current: (subjects, options) => store.current(subjects, options),
    async apply(changes, { transaction: trx, project, environment }) {
      const application = { trx, project, environment, weakened: new Set(), events: [] }
      await lock(application, changes)
      application.earlierStrategies = await strategiesToActivate(application, changes)
      for (const change of changes) {
        const carryOut = actions.get(change.action)
        if (carryOut === undefined) throw conflict(`The example store does not carry out ${change.action}.`)
        if (change.feature !== null) await requireFlag(application, change.feature)
        const told = application.events.length
        await carryOut(application, change)
        // Which change it was for lets the router take it back.
        for (const event of application.events.slice(told)) event.changeId = change.id
      }
      for (const feature of application.weakened) await disableWithoutStrategies(application, feature)
      return application.events
    },
  }
}

/** A flag that is switched on with its disabled strategies activates those it had before, not those added with it. */
async function strategiesToActivate({ trx, environment }, changes) {
  const earlier = new Map()
  for (const { feature } of changes.filter(({ payload }) => payload.shouldActivateDisabledStrategies)) {
    const { strategies } = await readPlace(trx, feature, environment)
    earlier.set(feature, new Set(strategies.map(({ id }) => id)))
  }
  return earlier
}

/** The router has locked what the changes are about by `current`; a parent that is named is locked here. */
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
