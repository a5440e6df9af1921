import type { Settings } from '../../domain/decisions/settings'
import { isClosed } from '../../domain/lifecycle'
import type { Facts } from '../../domain/steps/facts'
import type { LoadedProposal } from '../../ports/storage/change-requests'
import { defaultSettings } from '../host/settings'
import type { FactContext } from './fact-context'

export const placeFactNames = ['enabled', 'otherOpen', 'requiredApprovals'] as const

/** The stored facts about a project and environment, and about the proposals of one user there. */
export type PlaceFacts = Pick<Facts, (typeof placeFactNames)[number]>

/** Looks for another open change request: of the author for a rebase, of the caller for a revert or a copy. */
export async function placeOfStep({ services, actor, changeRequest }: FactContext): Promise<PlaceFacts> {
  const { id, state, project, environment, createdBy } = changeRequest
  const userId = state === 'Scheduled' ? createdBy.id : isClosed({ state }) ? actor.id : null
  // Then no rule depends on these facts, or the caller lacks a user id.
  if (userId === null) return { enabled: true, otherOpen: undefined, requiredApprovals: 1 }
  const place = { project, environment }
  const { open, settings } = await services.storage.loadProposal({ ...place, userId }, 0)
  // One whose interrupted apply succeeded is still stored as open, and is not another one.
  const other = open?.changeRequest.id === id ? undefined : open
  return placeFacts(settings?.settings ?? (await defaultSettings(services, place)), other)
}

/** The commit calls it with what it loads, because settings and proposals may have changed. */
export function placeFacts(settings: Settings, open?: LoadedProposal['open']): PlaceFacts {
  const { changeRequestsEnabled: enabled, requiredApprovals } = settings
  return { enabled, otherOpen: open?.changeRequest.id, requiredApprovals }
}
