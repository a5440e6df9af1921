const { randomBytes } = require('node:crypto')

/** Four demo users for the whole walkthrough, each with a new key at every start. */
function createDemoUsers() {
  return people.map((person) => ({ ...person, key: `user:${randomBytes(32).toString('hex')}` }))
}

const people = [
  {
    role: 'proposes and reviews',
    user: { id: 1, username: 'ann', email: 'ann@example.com', groups: ['shop'] },
    grants: [
      { permission: 'CREATE_CHANGE_REQUEST' },
      { permission: 'APPROVE_CHANGE_REQUEST' },
      { permission: 'READ_EVENTS' },
    ],
  },
  {
    role: 'reviews and applies',
    user: { id: 2, username: 'ben', email: 'ben@example.com', groups: ['shop'] },
    grants: [
      { permission: 'APPROVE_CHANGE_REQUEST' },
      { permission: 'APPLY_CHANGE_REQUEST' },
      { permission: 'READ_EVENTS' },
    ],
  },
  {
    role: 'administrator',
    user: { id: 3, username: 'cara', email: 'cara@example.com' },
    grants: [{ permission: 'ADMIN' }],
  },
  {
    role: 'owns payments',
    user: { id: 4, username: 'dan', email: 'dan@example.com', groups: ['payments'] },
    grants: [{ permission: 'APPROVE_CHANGE_REQUEST' }, { permission: 'READ_EVENTS' }],
  },
]

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
