import { ChangeRequestError } from '../errors'
import type { Actor, Authorize, Permission, Scope } from '../ports/access'

/** A hook of the host that fails says nothing about the caller: 503, never a yes or a no. */
export async function asked<Value>(hook: string, ask: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    if (ChangeRequestError.is(error)) throw error
    throw new ChangeRequestError('UnavailableError', `The request could not be checked (${hook}). Try again.`, {
      cause: error,
    })
  }
}

interface Access {
  readonly authorize: Authorize
}

/** Whether the actor has the permission there. */
export async function holds({ authorize }: Access, actor: Actor, permission: Permission, scope: Scope) {
  // Only true itself: a hook that answers an object by mistake must not open the door.
  return (await asked('authorize', () => authorize(actor, permission, placeOf(permission, scope)))) === true
}

/** Reading is a matter of the project, whatever environment it is about (contract 7.1). */
function placeOf(permission: Permission, { environment, ...project }: Scope): Scope {
  return environment === undefined || permission === 'READ_CHANGE_REQUEST' ? project : { ...project, environment }
}

/** @throws PermissionError that names the permission and where it is missing. */
export async function requirePermission(access: Access, actor: Actor, permission: Permission, scope: Scope) {
  if (await holds(access, actor, permission, scope)) return
  const { project, environment } = placeOf(permission, scope)
  const place = [
    project === undefined ? '' : ` in project ${project.slice(0, 100)}`,
    environment === undefined ? '' : ` and environment ${environment}`,
  ].join('')
  throw new ChangeRequestError('PermissionError', `You need the permission ${permission}${place}.`, {
    permissions: [permission],
  })
}
