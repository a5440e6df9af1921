const { path } = require('../server/client')

/** How many projects of a caller are read; each is a call. */
const maxProjects = 50

/**
 * The groups of a user in the option `groups`: lists of emails and usernames, by the name of the group. A name with `@` is only
 * compared with emails, because people who sign up by an invite choose their username.
 *
 * @param {{ email?: string, username?: string }} user
 * @param {Record<string, readonly string[]>} groups
 */
function groupsInOption({ email, username }, groups = {}) {
  const isUser = (name) => name.toLowerCase() === (name.includes('@') ? email : username)?.toLowerCase()
  const isMember = (names) => names.some(isUser)
  return Object.keys(groups).filter((name) => isMember(groups[name]))
}

/**
 * The groups of a caller on the server: the groups of the profile, which 8.2 returns, and the roles in projects, as
 * `<project>: <role>`.
 *
 * @param {(path: string) => Promise<any>} ask Calls the server as the caller; null for a rejected call.
 * @param {{ projects?: string[], groups?: { name: string }[] } | null} profile
 */
async function groupsOnServer(ask, profile) {
  const projects = (profile?.projects ?? []).slice(0, maxProjects)
  const roles = await Promise.all(
    projects.map(async (project) => {
      const answer = await ask(`/api/admin/user/roles?${path`projectId=${project}`}`)
      const inProject = (answer?.roles ?? []).filter(({ type }) => type !== 'root' && type !== 'root-custom')
      return inProject.map(({ name }) => `${project}: ${name}`)
    }),
  )
  return [...(profile?.groups ?? []).map(({ name }) => name), ...roles.flat()]
}

module.exports = { groupsInOption, groupsOnServer }
