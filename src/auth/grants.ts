import type { Actor, Authorize, Grant, Permission, Scope } from '../ports/access'

/** Permissions that imply another one; ADMIN implies all (contract 7.2). */
const impliedBy: { readonly [permission in Permission]?: readonly string[] } = {
  READ_CHANGE_REQUEST: ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'],
  PROJECT_CHANGE_REQUEST_READ: ['PROJECT_CHANGE_REQUEST_WRITE', 'UPDATE_PROJECT'],
  PROJECT_CHANGE_REQUEST_WRITE: ['UPDATE_PROJECT'],
}

/** The built-in authorizer: denies everything that no grant of the actor allows. */
export const grantsAllow: Authorize = (actor: Actor, permission: Permission, scope: Scope): boolean => {
  const sufficient = new Set<string>([permission, 'ADMIN', ...(impliedBy[permission] ?? [])])
  return (actor.grants ?? []).some((grant) => sufficient.has(grant.permission) && covers(grant, permission, scope))
}

/** In the scope of a whole project, a grant for one environment only allows reading change requests. */
function covers(grant: Grant, permission: Permission, { project, environment }: Scope): boolean {
  if (grant.project !== undefined && grant.project !== project) return false
  if (grant.environment === undefined || grant.environment === environment) return true
  return permission === 'READ_CHANGE_REQUEST' && project !== undefined && environment === undefined
}
