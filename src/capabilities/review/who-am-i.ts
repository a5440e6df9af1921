import { firstText, kindOf, machineOf, toPerson } from '../../kernel/host/author'
import { hasPermission } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { type Actor, type Permission, permissions, type Scope } from '../../ports/access'

/** The caller, as returned by `/me`. */
export interface Me {
  readonly id: number | null
  readonly username: string | null
  readonly imageUrl: string | null
  readonly groups: readonly string[]
  readonly kind: NonNullable<Actor['kind']>
  /** The person for whom a machine acts; null for none. */
  readonly onBehalfOf: { readonly id: number; readonly username: string | null } | null
  /** The permissions of the caller in the scope; absent without a scope. */
  readonly permissions?: readonly Permission[]
}

/** The caller, and their permissions in the scope. */
export async function whoAmI(services: Services, actor: Actor, scope: Scope): Promise<Me> {
  const { id } = actor
  const { username, imageUrl } =
    id === null
      ? { username: firstText(actor.name, actor.email, actor.username) ?? null, imageUrl: null }
      : toPerson({ ...actor, id }, services.options)
  const { onBehalfOf = null } = machineOf(actor)
  const me = { id, username, imageUrl, groups: [...(actor.groups ?? [])], kind: kindOf(actor), onBehalfOf }
  if (scope.project === undefined) return me
  const held = await Promise.all(permissions.map((permission) => hasPermission(services, actor, permission, scope)))
  return { ...me, permissions: permissions.filter((_, index) => held[index]) }
}
