const { readAll } = require('../server/read-all')
const { path } = require('../server/client')
const { grantsOf } = require('./grants')

const freshMs = 2_000

/**
 * What exists on the server: the options `directory` and `users` of the router, and more for the gates. The lists of projects,
 * environments and users are kept for two seconds.
 *
 * @param {ReturnType<import('../server/client').unleashClient>} client
 * @param {Record<string, readonly string[]>} [roles] See `grants.js`.
 */
function createDirectory(client, roles) {
  const read = keepFor(freshMs, (place) => client.find(place))

  /** In the order of the server, or undefined for a project that it does not have. */
  async function environments(project) {
    const [found, all] = await Promise.all([read(path`projects/${project}`), read('environments')])
    const names = found?.environments?.map(({ environment }) => environment)
    return (
      names && all.environments.filter(({ name }) => names.includes(name)).map(({ name, type }) => ({ name, type }))
    )
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
    projects: async () => (await read('projects')).projects.map(({ id }) => id),
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
    },
    users: createUsers(read, roles),
  }
}

function createUsers(read, roles) {
  const list = async () => {
    const { users, rootRoles } = await read('user-admin')
    const roleNames = new Map(rootRoles.map(({ id, name }) => [id, name]))
    return users.map((user) => ({ ...pickUser(user), role: roleNames.get(user.rootRole) }))
  }
  const approves = ({ role }) =>
    grantsOf(role, roles).some(({ permission }) => ['ADMIN', 'APPROVE_CHANGE_REQUEST'].includes(permission))
  return {
    find: async (ids) => (await list()).filter(({ id }) => ids.includes(id)).map(pickUser),
    reviewers: async () => (await list()).filter(approves).map(pickUser),
  }
}

const pickUser = ({ id, username, name, email, imageUrl, role }) => ({
  id,
  username,
  name,
  email,
  imageUrl,
  ...(role && { role }),
})

/** Remembers what a function answered to the same question. */
function keepFor(ms, ask) {
  const answers = new Map()
  return (question) => {
    const kept = answers.get(question)
    if (kept !== undefined && kept.until > Date.now()) return kept.answer
    if (answers.size >= 1_000) answers.clear()
    const answer = ask(question)
    answers.set(question, { answer, until: Date.now() + ms })
    answer.catch(() => answers.delete(question))
    return answer
  }
}

module.exports = { createDirectory }
