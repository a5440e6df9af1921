import type { Actor, Authorize, Grant, Permission, Scope } from '../ports/access'

/** What else opens a door, beside the permission itself and ADMIN (contract 7.2). */
const impliedBy: { readonly [permission in Permission]?: readonly string[] } = {
  READ_CHANGE_REQUEST: ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'],
  PROJECT_CHANGE_REQUEST_READ: ['PROJECT_CHANGE_REQUEST_WRITE', 'UPDATE_PROJECT'],
  PROJECT_CHANGE_REQUEST_WRITE: ['UPDATE_PROJECT'],
}

/** The built-in authorizer: what the actor's grants do not allow is denied. */
export const grantsAllow: Authorize = (actor: Actor, permission: Permission, scope: Scope): boolean => {
  const openers = new Set<string>([permission, 'ADMIN', ...(impliedBy[permission] ?? [])])
  return (actor.grants ?? []).some((grant) => openers.has(grant.permission) && covers(grant, permission, scope))
}

/** Of a whole project, a grant for one environment opens no more than that its change requests may be read. */
function covers(grant: Grant, permission: Permission, { project, environment }: Scope): boolean {
  if (grant.project !== undefined && grant.project !== project) return false
  if (grant.environment === undefined || grant.environment === environment) return true
  return permission === 'READ_CHANGE_REQUEST' && project !== undefined && environment === undefined
}
