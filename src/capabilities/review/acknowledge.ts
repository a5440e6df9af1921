import { acknowledge as decideAcknowledge } from '../../domain/decisions/review'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller } from '../../kernel/step/step-input'
import type { Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Acknowledges an emergency apply (contract 15). */
export function acknowledge(
  services: Services,
  input: Caller & Reference,
  comment: string | null,
): Promise<StoredChangeRequest> {
  return performStep(services, 'acknowledge', input, (current, command) =>
    decideAcknowledge(current, { ...command, comment }),
  )
}
