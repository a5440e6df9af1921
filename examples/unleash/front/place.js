const { ChangeRequestError } = require('express-change-requests')
const { namesIn } = require('../routes/changes')
const { path } = require('../server/client')

/**
 * Returns for a gate where a write takes effect. The server does not check that the parts of a path belong together: a path
 * with `development` can delete a strategy of `production`. So this function checks it.
 *
 * @param {{ row: object, params: Record<string, string>, body: unknown }} write
 * @param {{ onServer: object, client: object, isGated: (place: object) => Promise<boolean> }} host
 * @returns {Promise<Place | Place[] | null>} See `GatedPlace` of the router.
 * @throws {ChangeRequestError} NotFoundError if the parts do not belong together.
 */
async function findPlace({ row, params, body }, host) {
  await requireFeatures(row, params, body, host)
  if (await row.except?.({ params, body, client: host.client })) return null
  const { project, environment } = params
  if (row.touches === 'project') return inProject(project, host)
  if (row.touches === 'segment') return ofSegment({ row, params, body }, host)
  if (row.touches === 'everywhere') return anywhere(await host.onServer.projects(), host)
  if (row.touches === 'environment everywhere') return inEnvironment(environment, host)
  if (row.touches === 'named environments') return inNamed(project, body, host)
  await requireStrategies(row, params, body, host)
  return { project, environment }
}

async function inProject(project, { onServer }) {
  if ((await onServer.environments(project)) === undefined) throw notFound(`The project ${project} does not exist.`)
  return { project }
}

async function anywhere(projects, host) {
  for (const project of projects) {
    const place = await inProject(project, host)
    if (await host.isGated(place)) return place
  }
  return null
}

/** All projects in review that can use the segment, before or after the write. */
async function ofSegment({ row, params: { segment }, body }, host) {
  const current = await host.client.find(path`segments/${segment}`)
  // The server takes a segment without a project for one of all projects.
  const named = [current?.project, ...(row.method === 'PUT' ? [body?.project] : [])]
  const isGlobal = current === undefined || named.some((project) => typeof project !== 'string' || project === '')
  const projects = isGlobal ? await host.onServer.projects() : [...new Set(named)]
  const places = await Promise.all(projects.map((project) => inProject(project, host)))
  const gated = await Promise.all(places.map(host.isGated))
  const found = places.filter((_place, index) => gated[index])
  return found.length === 0 ? null : found
}

async function inEnvironment(environment, { onServer, isGated }) {
  for (const project of await onServer.projects()) {
    if (await isGated({ project, environment })) return { project, environment }
  }
  return null
}

async function inNamed(project, body, { isGated }) {
  const names = body?.environments
  if (!Array.isArray(names) || names.length === 0) return { project }
  for (const environment of namesIn(body, 'environments')) {
    if (await isGated({ project, environment })) return { project, environment }
  }
  return null
}

async function requireFeatures({ route, touches }, { project, feature }, body, { onServer }) {
  if (touches === 'everywhere' || project === undefined) return
  const isList = route.includes('bulk_features') || route.endsWith('/archive')
  const names = isList ? namesIn(body) : feature === undefined ? [] : [feature]
  const known = await onServer.knownFeatures(project, names)
  const missing = names.find((name) => !known.includes(name))
  if (missing !== undefined) throw notFound(`The project ${project} has no flag ${missing}.`)
}

async function requireStrategies({ route }, params, body, { onServer }) {
  const ids = route.endsWith('/set-sort-order') ? idsIn(body) : params.strategy === undefined ? [] : [params.strategy]
  if (ids.length === 0) return
  const known = await onServer.strategies(params)
  const missing = ids.find((id) => !known.includes(id))
  if (missing !== undefined) {
    throw notFound(`The flag ${params.feature} has no strategy ${missing} in ${params.environment}.`)
  }
}

const idsIn = (order) => (Array.isArray(order) ? order.map((each) => each?.id) : [])

const notFound = (message) => new ChangeRequestError('NotFoundError', message)

module.exports = { findPlace }
