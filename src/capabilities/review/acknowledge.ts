import { acknowledge as decideAcknowledge } from '../../domain/decisions/review'
import type { StoredChangeRequest } from '../../ports/storage'
import { type Caller, type Reference, writeExisting } from '../../kernel/steps'
import { commentLimitsOf, type Services } from '../../kernel/services'

/** The second look at what was applied in an emergency (extensions 4). */
export function acknowledge(
  services: Services,
  input: Caller & Reference,
  comment: string | null,
): Promise<StoredChangeRequest> {
  const commentLimits = commentLimitsOf(services.settings)
  return writeExisting(services, input, {
    ...input,
    step: 'acknowledge',
    decide: ({ changeRequest }, occasion) => decideAcknowledge(changeRequest, { ...occasion, comment, commentLimits }),
  })
}
