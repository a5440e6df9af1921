const { isDeepStrictEqual } = require('node:util')
const { path } = require('../../server/client')
const { readActiveFlag } = require('../read-state')

/** Replaces the variants of a flag. The server calculates the weights of `variable` ones. */
const variants = {
  read: async (client, place, { feature }) => (await readActiveFlag(client, place, feature))?.variants,
  isBefore: (current, { before }) => isDeepStrictEqual(current, before),
  isDone: (current, { after }, result) => isDeepStrictEqual(current, result?.written ?? after),
  async forward(client, place, { feature, after }) {
    await put(client, place, feature, after)
    return { written: (await readActiveFlag(client, place, feature))?.variants ?? after }
  },
  undo: (client, place, { feature, before }) => put(client, place, feature, before),
  toEvents: ({ feature, before, after }, { written = after }) => [
    {
      type: 'feature-environment-variants-updated',
      featureName: feature,
      data: { variants: written },
      preData: { variants: before },
    },
  ],
}

async function put(client, { project, environment }, feature, content) {
  await client.send('PUT', path`projects/${project}/features/${feature}/environments/${environment}/variants`, content)
}

module.exports = { variants }
