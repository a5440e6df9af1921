const { ChangeRequestError } = require('express-change-requests')
const { keepFor } = require('../server/keep-for')
const { readAll } = require('../server/read-all')
const { path } = require('../server/client')
const { grantsOf } = require('./grants')
const { groupsInOption } = require('./groups')

/**
 * The options `directory` and `users` of the router, and more for the gates, read from the server. The lists of projects,
 * environments and users are cached for `freshMs`.
 *
 * @param {ReturnType<import('../server/client').unleashClient>} client
 * @param {{ roles?: Record<string, readonly string[]>, groups?: Record<string, readonly string[]>, freshMs?: number }} options `roles`:
 * see `grants.js`; `groups`: see `groups.js`.
 */
function createDirectory(client, { roles, groups, freshMs = 2_000 }) {
  const read = keepFor(freshMs, (place) => client.find(place))

  /**
   * In the order of the server; undefined for an unknown project.
   *
   * @throws if the list is not as expected: all writes there are then rejected
   */
  async function environments(project) {
    const [overview, all] = await Promise.all([read(path`projects/${project}/overview`), read('environments')])
    if (overview === undefined) return undefined
    const what = `the environments of the project ${project}`
    const names = listOf(overview.environments, ['environment'], what).map(({ environment }) => environment)
    const found = listOf(all?.environments, ['name', 'type'], what).filter(({ name }) => names.includes(name))
    if (found.length < new Set(names).size) throw notListed(what)
    return found.map(({ name, type }) => ({ name, type }))
  }

  /** @throws if the list is empty: there is always one */
  async function projects() {
    const what = 'its projects'
    const found = listOf((await read('projects'))?.projects, ['id'], what)
    if (found.length === 0) throw notListed(what)
    return found.map(({ id }) => id)
  }

  /** Those of the project, and those of all projects. */
  async function searchSegments(query, { project }) {
    const found = listOf((await read('segments'))?.segments, ['name'], 'its segments')
    const usable = found.filter((segment) => segment.project == null || segment.project === project)
    return usable.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  }

  async function contextFields() {
    const found = listOf(await read('context'), ['name'], 'its context fields')
    return found.map(({ name, description, stickiness, legalValues = [] }) => {
      return { name, description, stickiness, legalValues: legalValues.map(({ value }) => value) }
    })
  }

  async function findFeature(project, name) {
    if (/^\.*$/.test(name)) return undefined
    const feature = await client.find(path`projects/${project}/features/${name}`)
    return feature?.project === project ? feature : undefined
  }

  async function knownFeatures(project, names) {
    const found = await readAll(names, (name) => findFeature(project, name))
    return names.filter((name) => found.has(name))
  }

  return {
    /** Names of all projects. */
    projects,
    environments,
    knownFeatures,
    /** Ids of the strategies of a flag in an environment. */
    async strategies({ project, feature, environment }) {
      const found = await client.find(
        path`projects/${project}/features/${feature}/environments/${environment}/strategies`,
      )
      return (found ?? []).map(({ id }) => id)
    },
    directory: {
      async hasProject(project, environment) {
        const found = await environments(project)
        return found !== undefined && (environment === undefined || found.some(({ name }) => name === environment))
      },
      knownFeatures,
      environments: async (project) => (await environments(project)) ?? [],
      projects,
      searchSegments,
      contextFields,
    },
    users: createUsers(client, { roles, groups, freshMs }),
  }
}

/** A list of objects with strings under some keys. */
function listOf(list, keys, what) {
  if (Array.isArray(list) && list.every((each) => keys.every((key) => typeof each?.[key] === 'string'))) return list
  throw notListed(what)
}

function notListed(what) {
  return new ChangeRequestError('UnavailableError', `The Unleash server returned an unexpected list of ${what}.`)
}

/** Only what the review shows is cached: the list of the server contains links that set passwords. */
function createUsers(client, { roles, groups, freshMs }) {
  const list = keepFor(freshMs, async () => {
    const { users, rootRoles } = await client.send('GET', 'user-admin')
    const roleNames = new Map(rootRoles.map(({ id, name }) => [id, name]))
    return users.map((user) => {
      return { ...pickUser(user), role: roleNames.get(user.rootRole), groups: groupsInOption(user, groups) }
    })
  })
  const approves = ({ role }) =>
    grantsOf(role, roles).some(({ permission }) => ['ADMIN', 'APPROVE_CHANGE_REQUEST'].includes(permission))
  return {
    find: async (ids) => (await list()).filter(({ id }) => ids.includes(id)).map(pickUser),
    reviewers: async () => (await list()).filter(approves).map(pickUser),
  }
}

const pickUser = ({ id, username, name, email, imageUrl, role, groups }) => ({
  id,
  username,
  name,
  email,
  imageUrl,
  ...(role && { role }),
  ...(groups && { groups }),
})

module.exports = { createDirectory }
