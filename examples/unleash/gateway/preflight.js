const { path } = require('../server/client')
const { conflict } = require('./conflict')
const { readActiveFlag } = require('./read-state')

/**
 * Checks in advance whether the server would reject a step that cannot be undone.
 *
 * @throws ConflictError
 */
async function preflight(client, { project, environment }, steps) {
  const deleted = new Set(steps.filter(({ kind }) => kind === 'deleteStrategy').map(({ strategy }) => strategy.id))
  for (const { segment } of steps.filter(({ kind }) => kind === 'deleteSegment')) {
    const { strategies = [] } = (await client.find(path`segments/${segment}/strategies`)) ?? {}
    const user = strategies.find(({ id }) => !deleted.has(id))
    if (user !== undefined) throw conflict(`The segment ${segment} is used by the flag ${user.featureName}.`)
  }
  for (const { features } of steps.filter(({ kind }) => kind === 'archive')) {
    for (const name of features) {
      const { children = [] } = (await readActiveFlag(client, { project, environment }, name)) ?? {}
      const child = children.find((each) => !features.includes(each))
      if (child !== undefined) throw conflict(`${name} cannot be archived: the flag ${child} depends on it.`)
    }
  }
}

module.exports = { preflight }
