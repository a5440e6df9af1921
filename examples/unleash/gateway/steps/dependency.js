const { isDeepStrictEqual } = require('node:util')
const { path } = require('../../server/client')
const { readActiveFlag } = require('../read-state')

/** Sets or removes the parent of a flag. The server supports one parent per flag. */
const dependency = {
  read: async (client, place, { feature }) => (await readActiveFlag(client, place, feature))?.dependency,
  isBefore: (current, { before }) => isDeepStrictEqual(current, before),
  isDone: (current, { after }) => isDeepStrictEqual(current, after),
  forward: (client, place, { feature, after }) => put(client, place, feature, after),
  undo: (client, place, { feature, before }) => put(client, place, feature, before),
  toEvents: ({ feature, before, after }) =>
    after === null
      ? [{ type: 'feature-dependencies-removed', featureName: feature, preData: before }]
      : [{ type: 'feature-dependency-added', featureName: feature, data: after }],
}

async function put(client, { project }, feature, parent) {
  const dependencies = path`projects/${project}/features/${feature}/dependencies`
  if (parent === null) await client.send('DELETE', dependencies)
  else await client.send('POST', dependencies, parent)
  return {}
}

module.exports = { dependency }
