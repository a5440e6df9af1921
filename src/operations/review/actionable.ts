import type { ChangeRequestSummary } from '../../domain/content/summary'
import type { Actor } from '../../ports/access'
import { holds } from '../runtime/permissions'
import type { Services } from '../runtime/services'

type Asked = 'APPLY_CHANGE_REQUEST' | 'APPROVE_CHANGE_REQUEST' | 'ADMIN'

/**
 * Tells of change requests whether the caller can move them on (contract 3.4, 8): those in review that they may approve
 * and have not, and approved ones that they may apply. The host is asked once for each place.
 */
export function createActionable(services: Services, actor: Actor) {
  const known = new Map<string, Promise<boolean>>()
  const allowed = (permission: Asked, place: { readonly project?: string; readonly environment?: string }) => {
    const key = JSON.stringify([permission, place.project, place.environment])
    const answer = known.get(key) ?? holds(services, actor, permission, place)
    known.set(key, answer)
    return answer
  }
  return async function isActionable(summary: ChangeRequestSummary): Promise<boolean> {
    const { state, project, environment, createdBy, approvedBy } = summary
    if (state === 'Approved') return allowed('APPLY_CHANGE_REQUEST', { project, environment })
    if (state !== 'In review' || (actor.id !== null && approvedBy.includes(actor.id))) return false
    if (createdBy.id === actor.id && !(await allowed('ADMIN', {}))) return false
    return allowed('APPROVE_CHANGE_REQUEST', { project, environment })
  }
}
