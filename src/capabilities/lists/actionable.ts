import { actionableWith } from '../../domain/actionable'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { projectReach, type Reach } from '../../kernel/facts/reach'
import { placeOf } from '../../kernel/flags/places'
import { createPermissionCheck } from '../../kernel/permissions'
import type { Services } from '../../kernel/services'
import type { Actor, Permission } from '../../ports/access'
import type { ChangeRequestGroup } from '../../ports/storage/change-requests'

type Placed = Pick<ChangeRequestGroup, 'project' | 'environment' | 'scope'>

/**
 * Checks whether the caller can act on a change request (contract 3.4, 8): one in review that they can approve and have not
 * approved, or an approved one that they can apply. If a change affects the whole project, they need the permission in each
 * gated environment (contract 18). The host app is called once for each project and environment.
 */
export function createActionable(services: Services, actor: Actor) {
  const hasPermission = createPermissionCheck(services, actor)
  const reaches = new Map<string, Promise<Reach>>()
  const elsewhere = async ({ project, environment, scope }: Placed) => {
    if (scope === 'environment') return []
    const place = { project, environment }
    const key = placeOf(place)
    const reach = reaches.get(key) ?? projectReach(services, place)
    reaches.set(key, reach)
    return (await reach).elsewhere
  }
  const allowedThroughout = async (permission: Permission, placed: Placed) => {
    const { project, environment } = placed
    if (!(await hasPermission(permission, { project, environment }))) return false
    for (const place of await elsewhere(placed)) if (!(await hasPermission(permission, place))) return false
    return true
  }

  /** True if the caller can act on all change requests of the group. */
  async function isGroupActionable(group: Omit<ChangeRequestGroup, 'count'>): Promise<boolean> {
    const needed = actionableWith({ ...group, approved: group.hasSubject })
    if (needed === undefined || (needed.admin && !(await hasPermission('ADMIN', {})))) return false
    return allowedThroughout(needed.permission, group)
  }

  return {
    isGroupActionable,
    isActionable: (summary: ChangeRequestSummary) =>
      isGroupActionable({
        ...summary,
        own: summary.createdBy.id === actor.id,
        hasSubject: actor.id !== null && summary.approvedBy.includes(actor.id),
      }),
  }
}
