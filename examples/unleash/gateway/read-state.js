const { path } = require('../server/client')

/**
 * A flag in an environment. `dependency`: its parent, null for none; `children`: the flags that depend on it.
 * @typedef {{ archived: false, enabled: boolean, strategies: object[], variants: object[], dependency: object | null, children: string[] }} ActiveFlag
 */

const pageSize = 100

/**
 * Reads a flag; undefined if it is deleted or in another project. The server also returns 404 for archived flags, and lists
 * them elsewhere.
 *
 * @returns {Promise<ActiveFlag | { archived: true } | undefined>}
 */
async function readFlag(client, { project, environment }, name) {
  // Without the query, variants have no environment.
  const flag = await client.find(path`projects/${project}/features/${name}?variantEnvironments=true`)
  if (flag === undefined) return (await isArchived(client, project, name)) ? { archived: true } : undefined
  const here = flag.environments.find((each) => each.name === environment)
  if (here === undefined) return undefined
  return {
    archived: false,
    enabled: here.enabled,
    strategies: (here.strategies ?? []).map(toStrategy),
    variants: here.variants ?? [],
    dependency: flag.dependencies?.[0] ?? null,
    children: flag.children ?? [],
  }
}

/** A flag that can be changed, or undefined. */
async function readActiveFlag(client, place, name) {
  const flag = await readFlag(client, place, name)
  return flag?.archived === false ? flag : undefined
}

/** The search also finds flags whose name or description contains the name. */
async function isArchived(client, project, name) {
  const found = path`search/features?project=${`IS:${project}`}&archived=IS:true&query=${name}&limit=${pageSize}`
  for (let offset = 0; ; offset += pageSize) {
    const { features } = await client.send('GET', `${found}&offset=${offset}`)
    if (features.some((each) => each.name === name)) return true
    if (features.length < pageSize) return false
  }
}

/** A strategy with all properties that a change can set. */
function toStrategy({ id, name, title, disabled, constraints, parameters, variants, segments, sortOrder }) {
  return {
    id,
    name,
    title: title || null,
    disabled: disabled === true,
    constraints: constraints ?? [],
    parameters: parameters ?? {},
    variants: variants ?? [],
    segments: [...(segments ?? [])].sort((a, b) => a - b),
    sortOrder: sortOrder ?? 0,
  }
}

/** Reads a segment; undefined if it is deleted. */
async function readSegment(client, id) {
  const segment = await client.find(path`segments/${id}`)
  return segment === undefined ? undefined : toSegment(segment)
}

function toSegment({ name, description, project, constraints }) {
  return { name, description: description ?? null, project: project ?? null, constraints: constraints ?? [] }
}

/** The default strategy of a project in an environment, if one is set. */
async function readDefaultStrategy(client, { project, environment }) {
  const overview = await client.find(path`projects/${project}/overview`)
  return overview?.environments?.find((each) => each.environment === environment)?.defaultStrategy
}

module.exports = { readActiveFlag, readDefaultStrategy, readFlag, readSegment, toStrategy }
