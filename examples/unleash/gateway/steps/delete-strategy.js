const { readActiveFlag } = require('../read-state')
const { post, remove } = require('./add-strategy')

/** Deletes a strategy, which an earlier step has disabled. */
const deleteStrategy = {
  /** Null if the strategy is deleted, undefined if the flag is. */
  async read(client, place, { feature, strategy }) {
    const flag = await readActiveFlag(client, place, feature)
    return flag && (flag.strategies.find(({ id }) => id === strategy.id) ?? null)
  },
  isBefore: (current) => current?.disabled === true,
  isDone: (current) => current === null,
  async forward(client, place, { feature, strategy }) {
    await remove(client, place, feature, strategy.id)
    return {}
  },
  /** The restored strategy gets another id. */
  undo: (client, place, { feature, strategy }) => post(client, place, feature, strategy),
  toEvents: ({ feature, strategy }) => [{ type: 'feature-strategy-remove', featureName: feature, preData: strategy }],
}

module.exports = { deleteStrategy }
