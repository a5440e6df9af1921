const { readAll } = require('../server/read-all')
const { readDefaultStrategy, readFlag, readSegment } = require('./read-state')

/**
 * The `current` of the gateway: the current flags and segments of the server, and which of those that the changes mention do
 * not exist.
 */
async function readCurrent(client, { project, environment, features, segments, mentions }) {
  const place = { project, environment }
  const flags = await readAll(features, (name) => readFlag(client, place, name))
  const mentioned = mentions?.segments ?? []
  const all = await readAll([...new Set([...segments, ...mentioned])], (id) => readSegment(client, id))
  const defaultStrategy = await readDefaultStrategy(client, place)
  return {
    features: new Map([...flags].map(([name, flag]) => [name, toFeatureState(flag)])),
    segments: new Map(segments.flatMap((id) => (all.has(id) ? [[id, all.get(id)]] : []))),
    // The open-source server has no templates of release plans.
    ...(mentions && { missing: { segments: mentioned.filter((id) => !all.has(id)), templates: mentions.templates } }),
    ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
  }
}

function toFeatureState(flag) {
  if (flag.archived) return { archived: true, enabled: false }
  const { enabled, strategies, variants, dependency } = flag
  return { archived: false, enabled, strategies, variants, dependencies: dependency === null ? [] : [dependency] }
}

module.exports = { readCurrent }
