import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { StoredSettings } from '../../ports/storage/settings'
import type { Services } from '../services'
import { settingsIn } from '../settings'
import type { Question } from './question'

/** What the storage knows about a place and the proposals of one user there. */
export interface PlaceFacts {
  readonly enabled: boolean
  readonly otherOpen: number | undefined
  readonly requiredApprovals: number
}

export const placeFactNames = ['enabled', 'otherOpen', 'requiredApprovals'] as const satisfies (keyof PlaceFacts)[]

/** About the open change request that a step would compete with: a rebase leads to the author's, a revert to the caller's. */
export async function placeOfStep({ services, actor, changeRequest }: Question): Promise<PlaceFacts> {
  const { state, project, environment, createdBy } = changeRequest
  const userId = state === 'Scheduled' ? createdBy.id : state === 'Applied' ? actor.id : null
  return placeFacts(
    services,
    userId === null ? {} : await services.storage.loadProposal({ project, environment, userId }, 0),
  )
}

/** Settings and proposals may change until the commit, which decides on those that it loaded. */
export function placeFacts(
  services: Services,
  {
    open,
    settings,
  }: { readonly open?: StoredChangeRequest | undefined; readonly settings?: StoredSettings | undefined },
): PlaceFacts {
  const { changeRequestsEnabled: enabled, requiredApprovals } = settingsIn(services, settings)
  return { enabled, otherOpen: open?.changeRequest.id, requiredApprovals }
}
