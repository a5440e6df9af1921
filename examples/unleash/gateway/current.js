const { readDefaultStrategy, readFlag, readSegment } = require('./read-state')

/** How many flags are read at once. */
const readsAtOnce = 8

/** What the router asks before it decides: flags and segments as the server has them now. */
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

/** What exists, by its key. */
async function readAll(keys, read) {
  const found = new Map()
  for (let start = 0; start < keys.length; start += readsAtOnce) {
    const some = keys.slice(start, start + readsAtOnce)
    const values = await Promise.all(some.map(read))
    for (const [index, key] of some.entries()) {
      if (values[index] !== undefined) found.set(key, values[index])
    }
  }
  return found
}

function toFeatureState(flag) {
  if (flag.archived) return { archived: true, enabled: false }
  const { enabled, strategies, variants, dependency } = flag
  return { archived: false, enabled, strategies, variants, dependencies: dependency === null ? [] : [dependency] }
}

module.exports = { readAll, readCurrent }
