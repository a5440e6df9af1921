const { isDeepStrictEqual } = require('node:util')
const { path } = require('../../server/client')
const { readActiveFlag, toStrategy } = require('../read-state')

/** Alters a strategy, all but its place among the others. */
const strategy = {
  async read(client, place, { feature, before }) {
    const flag = await readActiveFlag(client, place, feature)
    return flag?.strategies.find(({ id }) => id === before.id)
  },
  isBefore: (present, { before }) => isSame(present, before),
  isDone: (present, _step, { strategy: written }) => isSame(present, written),
  forward: (client, place, { feature, before, after }) => put(client, place, feature, before, after),
  undo: (client, place, { feature, before, after }) => put(client, place, feature, after, before),
  toEvents({ feature, before, silent }, { strategy: written }) {
    // A strategy that is deleted later on has an event for that.
    return silent ? [] : [{ type: 'feature-strategy-update', featureName: feature, data: written, preData: before }]
  },
}

/** Alters a strategy from one content to another. */
async function put(client, place, feature, from, { id, sortOrder, title, ...content }) {
  // The server keeps a title for null, and for none.
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

/** Whether two strategies mean the same; their places do not count. */
function isSame(a, b) {
  return a !== undefined && b !== undefined && isDeepStrictEqual({ ...a, sortOrder: 0 }, { ...b, sortOrder: 0 })
}

module.exports = { isSame, strategiesPath, strategy }
