const { path } = require('../../server/client')
const { readActiveFlag } = require('../read-state')

/** Switches a flag on or off. */
const toggle = {
  read: async (client, place, { feature }) => (await readActiveFlag(client, place, feature))?.enabled,
  isBefore: (enabled, { before }) => enabled === before,
  isDone: (enabled, { after }) => enabled === after,
  forward: (client, place, { feature, after }) => put(client, place, feature, after),
  undo: (client, place, { feature, before }) => put(client, place, feature, before),
  toEvents: ({ feature, after }) => [
    { type: after ? 'feature-environment-enabled' : 'feature-environment-disabled', featureName: feature },
  ],
}

async function put(client, { project, environment }, feature, enabled) {
  const flag = path`projects/${project}/features/${feature}/environments/${environment}`
  await client.send('POST', `${flag}/${enabled ? 'on' : 'off'}`)
  return {}
}

module.exports = { toggle }
