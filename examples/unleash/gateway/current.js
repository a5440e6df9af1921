const { readAll } = require('../server/read-all')
const { readDefaultStrategy, readFlag, readSegment } = require('./read-state')

/** The `current` of the gateway: the current flags and segments of the server. */
async function readCurrent(client, { project, environment, features, segments }) {
  const place = { project, environment }
  const flags = await readAll(features, (name) => readFlag(client, place, name))
  const found = await readAll(segments, (id) => readSegment(client, id))
  const defaultStrategy = await readDefaultStrategy(client, place)
  return {
    features: new Map([...flags].map(([name, flag]) => [name, toFeatureState(flag)])),
    segments: found,
    ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
  }
}

function toFeatureState(flag) {
  if (flag.archived) return { archived: true, enabled: false }
  const { enabled, strategies, variants, dependency } = flag
  return { archived: false, enabled, strategies, variants, dependencies: dependency === null ? [] : [dependency] }
}

module.exports = { readCurrent }
