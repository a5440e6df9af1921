import { type Actor, type Authorize, type Grant, grantable, type Permission, type Scope } from '../ports/access'

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

/** Also warns of grants without effect: their permission differs from a known one only by case, blanks or separators. */
export function grantsAllowWithWarnings(warn: (message: string) => void): Authorize {
  return (actor, permission, scope) => {
    for (const { permission: given } of actor.grants ?? []) {
      if (known.has(given)) continue
      const meant = grantable.find((name) => plain(name) === plain(String(given)))
      if (meant !== undefined) warn(`A grant has the permission "${given}", which has no effect. Write "${meant}".`)
    }
    return grantsAllow(actor, permission, scope)
  }
}

const known: ReadonlySet<string> = new Set(grantable)

function plain(name: string): string {
  return name.replace(/[^a-z]/gi, '').toLowerCase()
}

/** For a whole project, a grant for one environment allows reading change requests, and nothing else. */
function covers(grant: Grant, permission: Permission, { project, environment }: Scope): boolean {
  if (grant.project !== undefined && grant.project !== project) return false
  if (grant.environment === undefined || grant.environment === environment) return true
  return permission === 'READ_CHANGE_REQUEST' && project !== undefined && environment === undefined
}
