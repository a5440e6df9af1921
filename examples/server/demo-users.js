const { randomBytes } = require('node:crypto')
const people = require('./people.json')

/** Four demo users for the whole walkthrough, each with a new key at every start. Their names are for the demo of the command. */
function createDemoUsers() {
  return people.map(({ name: _, role, permissions, ...user }) => ({
    role,
    user,
    grants: permissions.map((permission) => ({ permission })),
    key: `user:${randomBytes(32).toString('hex')}`,
  }))
}

/** Printed at start: links to the page, the keys, and two requests to paste. */
function introduceDemoUsers(users, address, linkOf) {
  const lines = (column) =>
    users.map((user) => `  ${user.user.username.padEnd(4)}  ${user.role.padEnd(20)}  ${column(user)}`)
  return `The review page is ${address}/review, the page of flags ${address}/flags. Sign in with one of these links (use two browsers for two users):
${lines((user) => address + linkOf(user)).join('\n')}
Keys of the demo users. Keys and links are new at every start; set API_KEYS to use your own:
${lines(({ key }) => key).join('\n')}
Propose a change:
  curl -sS ${address}/api/admin/projects/default/environments/production/change-requests -H 'Authorization: ${users[0].key}' -H 'Content-Type: application/json' -d '{"action":"updateEnabled","feature":"checkout","payload":{"enabled":true}}'
List the flags:
  curl -sS ${address}/api/admin/projects/default/features -H 'Authorization: ${users[0].key}'`
}

module.exports = { createDemoUsers, introduceDemoUsers }
