import { permissionMissing } from '../../domain/steps/caller-rules'
import { stepError } from '../../domain/steps/steps'
import type { Actor, Permission, Scope } from '../../ports/access'
import type { HostServices } from '../host-services'
import { callHook, describeValue } from './hooks'

type Access = Pick<HostServices, 'authorize' | 'options' | 'warnOnce'>

export type PermissionCheck = (permission: Permission, scope: Scope) => Promise<boolean>

/** Calls the host app at most once for each permission and scope of a request. */
export function createPermissionCheck(access: Access, actor: Actor): PermissionCheck {
  const results = new Map<string, Promise<boolean>>()
  return (permission, scope) => {
    const { project, environment } = placeOf(permission, scope)
    const key = JSON.stringify([permission, project, environment])
    const result = results.get(key) ?? hasPermission(access, actor, permission, scope)
    results.set(key, result)
    return result
  }
}

export async function hasPermission(access: Access, actor: Actor, permission: Permission, scope: Scope) {
  const ask = () => access.authorize(actor, permission, placeOf(permission, scope))
  const answer: unknown = await callHook(access, 'authorize', ask)
  if (typeof answer !== 'boolean') {
    const text = `authorize returned ${describeValue(answer)}; it must be true or false. The permission is denied.`
    access.warnOnce('authorize', text)
  }
  // Only `true` counts: an object that a hook returns by mistake must not grant anything.
  return answer === true
}

/** Reading is checked in the project, without an environment (contract 7.1). */
function placeOf(permission: Permission, { environment, ...project }: Scope): Scope {
  return environment === undefined || permission === 'READ_CHANGE_REQUEST' ? project : { ...project, environment }
}

export async function requirePermission(
  hasPermission: PermissionCheck,
  permission: Permission,
  scope: Scope,
): Promise<void> {
  if (await hasPermission(permission, scope)) return
  throw stepError(permissionMissing(permission, scope))
}
