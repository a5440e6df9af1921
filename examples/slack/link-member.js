/** Accounts of Slack that are not full members of the workspace. */
const excluded = ['deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted', 'is_stranger']

/**
 * The user of your app that a member of Slack is; null unless there is exactly one, and a person.
 *
 * @param call of the Web API
 * @param {(member: object) => object[]} findUsers the users of your app whose account this could be
 */
async function linkMember(call, team, memberId, findUsers) {
  const { user: member } = await call('users.info', { user: memberId })
  const isFullMember = member.team_id === team && !excluded.some((property) => member[property])
  if (!isFullMember || member.is_email_confirmed !== true) return null
  const [user, ...others] = await findUsers(member)
  if (user === undefined || others.length > 0 || (user.kind ?? 'person') !== 'person') return null
  return user
}

/** Finds users by their e-mail address. Only A to Z have two cases: in Unicode, different addresses can have the same lower case. */
function byEmail(users) {
  const lower = (email) => email?.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return ({ profile }) => (profile.email ? users.filter(({ email }) => lower(email) === lower(profile.email)) : [])
}

module.exports = { byEmail, linkMember }
