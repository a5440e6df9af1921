const { isDeepStrictEqual } = require('node:util')
const { readActiveFlag } = require('../read-state')
const { strategiesPath } = require('./strategy')

/** Sets the order of strategies. */
const order = {
  async read(client, place, { feature, before }) {
    const flag = await readActiveFlag(client, place, feature)
    const places = new Map(flag?.strategies.map(({ id, sortOrder }) => [id, sortOrder]))
    if (before.some(({ id }) => !places.has(id))) return undefined
    return before.map(({ id }) => ({ id, sortOrder: places.get(id) }))
  },
  isBefore: (places, { before }) => isDeepStrictEqual(places, before),
  isDone: (places, { after }) => isDeepStrictEqual(places, after),
  async forward(client, place, { feature, after }) {
    await client.send('POST', `${strategiesPath(place, feature)}/set-sort-order`, after)
    const flag = await readActiveFlag(client, place, feature)
    return { strategyIds: (flag?.strategies ?? []).map(({ id }) => id) }
  },
  async undo(client, place, { feature, before }) {
    await client.send('POST', `${strategiesPath(place, feature)}/set-sort-order`, before)
  },
  toEvents: ({ feature, idsBefore }, { strategyIds }) => [
    {
      type: 'strategy-order-changed',
      featureName: feature,
      data: { strategyIds },
      preData: { strategyIds: idsBefore },
    },
  ],
}

module.exports = { order }
