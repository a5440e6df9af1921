const { randomBytes } = require('node:crypto')
const { unleashClient } = require('../server/client')

const people = [
  { username: 'ann', role: 'Editor' },
  { username: 'ben', role: 'Editor' },
  { username: 'vic', role: 'Viewer' },
]

/**
 * Creates demo users on a new server. Its admin is `admin` with the password `unleash4all`.
 *
 * @param {{ url: string, token: string }} server
 * @returns {Promise<string[]>} A line per user, with a password that is new at each start.
 */
async function createDemoUsers(server) {
  const client = unleashClient(server)
  const { users, rootRoles } = await client.send('GET', 'user-admin')
  const lines = []
  for (const { username, role } of people) {
    if (users.some((user) => user.username === username)) continue
    const password = `${randomBytes(12).toString('hex')}-Aa1!`
    const rootRole = rootRoles.find(({ name }) => name === role).id
    await client.send('POST', 'user-admin', {
      username,
      email: `${username}@example.com`,
      password,
      rootRole,
      sendEmail: false,
    })
    lines.push(`  ${username}  ${role.padEnd(6)}  ${password}`)
  }
  return lines
}

module.exports = { createDemoUsers }
