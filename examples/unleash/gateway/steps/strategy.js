const { isDeepStrictEqual } = require('node:util')
const { path } = require('../../server/client')
const { readActiveFlag, toStrategy } = require('../read-state')

/** Updates a strategy, except its position. */
const strategy = {
  async read(client, place, { feature, before }) {
    const flag = await readActiveFlag(client, place, feature)
    return flag?.strategies.find(({ id }) => id === before.id)
  },
  isBefore: (current, { before }) => isSame(current, before),
  isDone: (current, _step, { strategy: written }) => isSame(current, written),
  forward: (client, place, { feature, before, after }) => put(client, place, feature, before, after),
  undo: (client, place, { feature, before, after }) => put(client, place, feature, after, before),
  toEvents({ feature, before, silent }, { strategy: written }) {
    // A strategy that is deleted later gets an event for the deletion instead.
    return silent ? [] : [{ type: 'feature-strategy-update', featureName: feature, data: written, preData: before }]
  },
}

/** Replaces the content of a strategy. */
async function put(client, place, feature, from, { id, sortOrder, title, ...content }) {
  // For null or without a title, the server keeps the old one.
  const named = title === from.title ? {} : { title: title ?? '' }
  const written = await client.send('PUT', `${strategiesPath(place, feature)}/${encodeURIComponent(id)}`, {
    ...content,
    ...named,
  })
  return { strategy: toStrategy(written) }
}

function strategiesPath({ project, environment }, feature) {
  return path`projects/${project}/features/${feature}/environments/${environment}/strategies`
}

/** Whether two strategies are equal, except for their positions. */
function isSame(a, b) {
  return a !== undefined && b !== undefined && isDeepStrictEqual({ ...a, sortOrder: 0 }, { ...b, sortOrder: 0 })
}

module.exports = { isSame, strategiesPath, strategy }
