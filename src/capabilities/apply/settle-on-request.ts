import { requireStep } from '../../domain/steps/steps'
import type { Services } from '../../kernel/services'
import { prepareStep } from '../../kernel/step/prepare-step'
import { settleFirst } from '../../kernel/step/settle'
import type { Caller } from '../../kernel/step/step-input'
import type { Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Settles an interrupted apply on request of a caller (contract 12). */
export function settleOnRequest(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  return prepareStep(services, 'settle', input, (found, { commandFor }) => {
    requireStep('settle', found.changeRequest, commandFor(found).facts, {})
    return settleFirst(services, found)
  })
}
