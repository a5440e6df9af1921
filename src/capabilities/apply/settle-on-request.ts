import { requireCaller, requireStep } from '../../domain/steps/steps'
import { gatherFacts } from '../../kernel/facts/step-facts'
import { revisionMismatch } from '../../kernel/preconditions'
import type { Services } from '../../kernel/services'
import { isInterrupted, settleFirst } from '../../kernel/settle'
import type { Caller } from '../../kernel/steps'
import { findVisible, type Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Settles an interrupted apply because a caller asks for it (extensions 1). */
export async function settleOnRequest(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  const found = await findVisible(services, input, input.actor)
  const { changeRequest } = found
  const asked = await gatherFacts(services, input.actor, changeRequest, 'settle')
  requireCaller('settle', changeRequest, asked)
  const refusal = revisionMismatch(input.ifMatch, found)
  if (refusal !== undefined) throw refusal
  requireStep('settle', changeRequest, { ...asked, interrupted: isInterrupted(services, changeRequest) })
  return settleFirst(services, found)
}
