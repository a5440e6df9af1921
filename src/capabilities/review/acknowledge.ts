import { acknowledge as decideAcknowledge } from '../../domain/decisions/review'
import { commentLimitsOf, type Services } from '../../kernel/services'
import { type Caller, writeExisting } from '../../kernel/steps'
import type { Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** The second look at what was applied in an emergency (extensions 4). */
export function acknowledge(
  services: Services,
  input: Caller & Reference,
  comment: string | null,
): Promise<StoredChangeRequest> {
  const commentLimits = commentLimitsOf(services.options.limits)
  return writeExisting(services, input, {
    ...input,
    step: 'acknowledge',
    decide: ({ changeRequest }, occasion) => decideAcknowledge(changeRequest, { ...occasion, comment, commentLimits }),
  })
}
