import { actionableWith } from '../../domain/steps/inbox'
import { type Reach, reachOfScope } from '../../kernel/facts/reach'
import { kindOf } from '../../kernel/host/author'
import { createPermissionCheck } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import type { Actor, Permission } from '../../ports/access'
import type { ChangeRequestGroup } from '../../ports/storage/change-requests'

type Placed = Pick<ChangeRequestGroup, 'project' | 'environment' | 'scope'>

/** Whether the caller can approve a change request in review, or apply an approved one (contract 3.4, 8). */
export function createActionable(
  services: Services,
  actor: Actor,
  hasPermission = createPermissionCheck(services, actor),
) {
  const reaches = new Map<string, Promise<Reach>>()

  /** Where the change requests of the group take effect. */
  function reachIn({ project, environment, scope }: Placed): Promise<Reach> {
    const key = JSON.stringify([project, environment, scope])
    const reach = reaches.get(key) ?? reachOfScope(services, { project, environment }, scope)
    reaches.set(key, reach)
    return reach
  }

  /** True if the caller may use the permission wherever the change requests of the group take effect. */
  async function allowedThroughout(permission: Permission, placed: Placed): Promise<boolean> {
    if (permission === 'APPROVE_CHANGE_REQUEST' && kindOf(actor) !== 'person') return false
    const { project, environment } = placed
    if (!(await hasPermission(permission, { project, environment }))) return false
    const { elsewhere } = await reachIn(placed)
    for (const place of elsewhere) if (!(await hasPermission(permission, place))) return false
    return true
  }

  async function isGroupActionable(group: Omit<ChangeRequestGroup, 'count'>): Promise<boolean> {
    const needed = actionableWith(group)
    if (needed === undefined || (needed.admin && !(await hasPermission('ADMIN', {})))) return false
    return allowedThroughout(needed.permission, group)
  }

  return { allowedThroughout, isGroupActionable, reachIn }
}
