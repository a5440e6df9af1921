const { archiveFeature, patchVariant } = require('./actions/features')
const { addDependency, deleteDependency } = require('./actions/dependencies')
const { disableWithoutStrategies, updateEnabled } = require('./actions/enabled')
const { addReleasePlan, deleteReleasePlan, startMilestone } = require('./actions/release-plans')
const { deleteSegment, updateSegment } = require('./actions/segments')
const { addStrategy, deleteStrategy, reorderStrategy, updateStrategy } = require('./actions/strategies')
const { conflict } = require('./conflict')
const { toPlan } = require('./plan')

/** How each action is carried out: `(application, change, later changes)`. */
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
    updateSegment,
    updateStrategy,
  }),
)

/** The flag gateway of the router over the flag store, in the router's own transaction. */
function createFlagGateway(store) {
  return {
    transactional: true,
    current: (subjects) => store.current(subjects),
    async apply(changes, { transaction: trx, project, environment }) {
      const application = { trx, project, environment, weakened: new Set(), events: [] }
      await lock(application, changes)
      const plan = toPlan(changes)
      for (const [index, change] of plan.entries()) {
        const carryOut = actions.get(change.action)
        if (carryOut === undefined) throw conflict(`The example store does not carry out ${change.action}.`)
        if (change.feature !== null) await requireFlag(application, change.feature)
        await carryOut(application, change, plan.slice(index + 1))
      }
      for (const feature of application.weakened) await disableWithoutStrategies(application, feature)
      return application.events
    },
  }
}

/** Applications that touch the same flags or segments wait for each other; always in the same order, so none waits twice. */
async function lock({ trx, project }, changes) {
  const parents = changes.filter(({ action }) => action === 'addDependency').map(({ payload }) => payload.feature)
  const features = [...changes.flatMap(({ feature }) => feature ?? []), ...parents]
  const segments = changes.flatMap(({ feature, payload }) => (feature === null ? payload.id : []))
  await trx('flag_features').where({ project }).whereIn('name', features).orderBy('name').forUpdate().select('name')
  await trx('flag_segments').whereIn('id', segments).orderBy('id').forUpdate().select('id')
}

async function requireFlag({ trx, project }, name) {
  const flag = await trx('flag_features').where({ project, name }).first()
  if (flag === undefined) throw conflict(`${name}: Feature has been deleted`)
  if (flag.archived) throw conflict(`${name}: Feature has been archived`)
}

module.exports = { createFlagGateway }
