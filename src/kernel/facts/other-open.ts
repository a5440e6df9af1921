import type { ChangeRequest } from '../../domain/change-request'
import type { StepFacts } from '../../domain/steps/facts'
import type { Services } from '../services'

/** The open change request that keeps a scheduled one from going back to review. */
export async function otherOpen(
  { storage }: Pick<Services, 'storage'>,
  { state, project, environment, createdBy }: ChangeRequest,
): Promise<Pick<StepFacts, 'otherOpen'>> {
  if (state !== 'Scheduled') return {}
  const { open } = await storage.loadProposal({ project, environment, userId: createdBy.id }, 0)
  return open === undefined ? {} : { otherOpen: open.changeRequest.id }
}
