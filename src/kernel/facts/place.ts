import { isClosed } from '../../domain/lifecycle'
import type { Facts } from '../../domain/steps/facts'
import type { LoadedProposal } from '../../ports/storage/change-requests'
import { settingsIn } from '../host/settings'
import type { HostServices } from '../host-services'
import type { FactContext } from './fact-context'

export const placeFactNames = ['enabled', 'otherOpen', 'requiredApprovals'] as const

/** The stored facts about a project and environment, and about the proposals of one user there. */
export type PlaceFacts = Pick<Facts, (typeof placeFactNames)[number]>

/** Looks for another open change request: of the author for a rebase, of the caller for a revert or a copy. */
export async function placeOfStep({ services, actor, changeRequest }: FactContext): Promise<PlaceFacts> {
  const { id, state, project, environment, createdBy } = changeRequest
  const userId = state === 'Scheduled' ? createdBy.id : isClosed({ state }) ? actor.id : null
  if (userId === null) return placeFacts(services, {})
  const { open, settings } = await services.storage.loadProposal({ project, environment, userId }, 0)
  // One whose interrupted apply succeeded is still stored as open, and is not another one.
  return placeFacts(services, { settings, open: open?.changeRequest.id === id ? undefined : open })
}

/** The commit calls it with what it loads, because settings and proposals may have changed. */
export function placeFacts(
  services: HostServices,
  { open, settings }: Partial<Pick<LoadedProposal, 'open' | 'settings'>>,
): PlaceFacts {
  const { changeRequestsEnabled: enabled, requiredApprovals } = settingsIn(services, settings)
  return { enabled, otherOpen: open?.changeRequest.id, requiredApprovals }
}
