const { isDeepStrictEqual } = require('node:util')
const { Refusal } = require('../../server/client')
const { readActiveFlag, toStrategy } = require('../read-state')
const { strategiesPath } = require('./strategy')

/** Adds a strategy; the server assigns its id. */
const addStrategy = {
  async read(client, place, { feature }) {
    return (await readActiveFlag(client, place, feature))?.strategies
  },
  isBefore: (strategies, step) => strategies !== undefined && find(strategies, step) === undefined,
  isDone: (strategies, step, result) => strategies !== undefined && find(strategies, step, result) !== undefined,
  forward: (client, place, { feature, strategy }) => post(client, place, feature, strategy),
  async undo(client, place, step, result) {
    const { feature } = step
    const { id } = find((await addStrategy.read(client, place, step)) ?? [], step, result) ?? {}
    if (id !== undefined) await remove(client, place, feature, id)
  },
  toEvents: ({ feature, changeId }, { strategy }) => [
    { type: 'feature-strategy-add', featureName: feature, changeId, data: strategy },
  ],
}

async function post(client, place, feature, { id: _id, title, ...content }) {
  const added = await client.send('POST', strategiesPath(place, feature), { ...content, ...(title && { title }) })
  return { strategy: toStrategy(added) }
}

/** A strategy that is already deleted counts as removed. */
async function remove(client, place, feature, id) {
  try {
    await client.send('DELETE', `${strategiesPath(place, feature)}/${encodeURIComponent(id)}`)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
}

/** The added strategy. If its id was not stored, the last new strategy with the sent content. */
function find(strategies, { known, twins, strategy }, result) {
  if (result !== undefined) return strategies.find(({ id }) => id === result.strategy.id)
  return strategies.filter((each) => !known.includes(each.id) && holds(each, strategy))[twins]
}

/** The server adds defaults for missing parameters. */
function holds(current, sent) {
  const { name, title, disabled, segments } = current
  const same = { name, title, disabled, segments }
  const wanted = { name: sent.name, title: sent.title, disabled: sent.disabled, segments: sent.segments }
  const parameters = { ...current.parameters, ...sent.parameters }
  return isDeepStrictEqual(same, wanted) && isDeepStrictEqual(current.parameters, parameters)
}

module.exports = { addStrategy, post, remove }
