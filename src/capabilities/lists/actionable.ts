import type { ChangeRequestSummary } from '../../domain/content/summary'
import { projectReach, type Reach } from '../../kernel/facts/reach'
import { placeOf } from '../../kernel/flags/places'
import { createPermissionCheck } from '../../kernel/permissions'
import type { Services } from '../../kernel/services'
import type { Actor } from '../../ports/access'

type Asked = 'APPLY_CHANGE_REQUEST' | 'APPROVE_CHANGE_REQUEST' | 'ADMIN'

/**
 * Checks whether the caller can act on a change request (contract 3.4, 8): one in review that they can approve and have not
 * approved, or an approved one that they can apply. If a change affects the whole project, they need the permission in each
 * gated environment (contract 18). The host app is called once for each project and environment.
 */
export function createActionable(services: Services, actor: Actor) {
  const hasPermission = createPermissionCheck(services, actor)
  const reaches = new Map<string, Promise<Reach>>()
  const elsewhere = async ({ project, environment, scope }: ChangeRequestSummary) => {
    if (scope === 'environment') return []
    const place = { project, environment }
    const key = placeOf(place)
    const reach = reaches.get(key) ?? projectReach(services, place)
    reaches.set(key, reach)
    return (await reach).elsewhere
  }
  const allowedThroughout = async (permission: Asked, summary: ChangeRequestSummary) => {
    const { project, environment } = summary
    if (!(await hasPermission(permission, { project, environment }))) return false
    for (const place of await elsewhere(summary)) if (!(await hasPermission(permission, place))) return false
    return true
  }
  return async function isActionable(summary: ChangeRequestSummary): Promise<boolean> {
    const { state, createdBy, approvedBy } = summary
    if (state === 'Approved') return allowedThroughout('APPLY_CHANGE_REQUEST', summary)
    if (state !== 'In review' || (actor.id !== null && approvedBy.includes(actor.id))) return false
    if (createdBy.id === actor.id && !(await hasPermission('ADMIN', {}))) return false
    return allowedThroughout('APPROVE_CHANGE_REQUEST', summary)
  }
}
