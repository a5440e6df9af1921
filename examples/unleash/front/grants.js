/**
 * The permissions of the server's root roles for change requests, which the server itself does not have. ADMIN includes
 * SKIP_CHANGE_REQUEST: writes of admins go to the server. A key without a role is a `token`; it cannot have a draft, because
 * a draft needs an author. All others can read.
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
