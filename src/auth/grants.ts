import { typoIn, typoOf } from '../check-options'
import { type Actor, type Authorize, type Grant, grantable, type Permission, type Scope } from '../ports/access'

/** Permissions that imply another one; ADMIN implies all (contract 7.2). */
const impliedBy: { readonly [permission in Permission]?: readonly string[] } = {
  READ_CHANGE_REQUEST: ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'REPORT_CHECK'],
  PROJECT_CHANGE_REQUEST_READ: ['PROJECT_CHANGE_REQUEST_WRITE', 'UPDATE_PROJECT'],
  PROJECT_CHANGE_REQUEST_WRITE: ['UPDATE_PROJECT'],
}

/** The built-in authorizer: denies everything that no grant of the actor allows. */
export const grantsAllow: Authorize = (actor: Actor, permission: Permission, scope: Scope): boolean => {
  const sufficient = new Set<string>([permission, 'ADMIN', ...(impliedBy[permission] ?? [])])
  return (actor.grants ?? []).some((grant) => sufficient.has(grant.permission) && covers(grant, permission, scope))
}

/** Also warns of grants that look like a typo. A grant can have permissions and properties of the host app. */
export function grantsAllowWithWarnings(warn: (message: string) => void): Authorize {
  return (actor, permission, scope) => {
    for (const grant of actor.grants ?? []) {
      const problem = problemIn(grant)
      if (problem !== undefined) warn(`A grant has ${problem}: see docs/permissions.md.`)
    }
    return grantsAllow(actor, permission, scope)
  }
}

const known: ReadonlySet<string> = new Set(grantable)
const properties: readonly string[] = ['permission', 'project', 'environment'] satisfies (keyof Grant)[]
const plainGrantable = new Map(grantable.map((name) => [plain(name), name]))

/** Without `environment`, a grant is for all environments. */
function problemIn(grant: Grant): string | undefined {
  const typo = typoIn(Object.keys(grant), grant, properties)
  if (typo !== undefined) return `the property "${typo.name}", which has no effect. Write "${typo.meant}"`
  const { permission: given } = grant
  if (known.has(given)) return undefined
  const meant = typoOf(plain(String(given)), [...plainGrantable.keys()])
  return meant && `the permission "${given}", which has no effect. Write "${plainGrantable.get(meant)}"`
}

/** Without differences of case, blanks and separators. */
function plain(name: string): string {
  return name.replace(/[^a-z]/gi, '').toLowerCase()
}

/** For a whole project, a grant for one environment allows reading change requests, and nothing else. */
function covers(grant: Grant, permission: Permission, { project, environment }: Scope): boolean {
  if (grant.project !== undefined && grant.project !== project) return false
  if (grant.environment === undefined || grant.environment === environment) return true
  return permission === 'READ_CHANGE_REQUEST' && project !== undefined && environment === undefined
}
