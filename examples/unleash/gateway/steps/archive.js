const { path } = require('../../server/client')
const { readFlag } = require('../read-state')

/** Archives flags atomically. */
const archive = {
  /** The flags that are archived. */
  async read(client, place, { features }) {
    const flags = await Promise.all(features.map((name) => readFlag(client, place, name)))
    return flags.map((flag) => flag?.archived)
  },
  isBefore: (archived) => archived.every((each) => each === false),
  isDone: (archived) => archived.every((each) => each === true),
  async forward(client, { project }, { features }) {
    await client.send('POST', path`projects/${project}/archive`, { features })
    return {}
  },
  /** This is the last step, so nothing after it can fail. */
  async undo() {},
  toEvents: ({ features, children }) => [
    ...features.map((featureName) => ({ type: 'feature-archived', featureName })),
    ...children.map((featureName) => ({ type: 'feature-dependencies-removed', featureName })),
  ],
}

module.exports = { archive }
