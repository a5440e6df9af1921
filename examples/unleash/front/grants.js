/**
 * What the root roles of the server may do with change requests, which it knows nothing of. ADMIN includes
 * SKIP_CHANGE_REQUEST: what admins write goes to the server. A key without a role of its own is a `token`, and has no draft,
 * because nobody is its author. Everybody else reads.
 */
const defaultRoles = {
  Admin: ['ADMIN'],
  Editor: ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS'],
  token: ['READ_EVENTS'],
}

/** @returns {{ permission: string }[]} */
function grantsOf(role, roles = defaultRoles) {
  const permissions = Object.hasOwn(roles, role) ? roles[role] : []
  return ['READ_CHANGE_REQUEST', 'PROJECT_CHANGE_REQUEST_READ', ...permissions].map((permission) => ({ permission }))
}

module.exports = { defaultRoles, grantsOf }
