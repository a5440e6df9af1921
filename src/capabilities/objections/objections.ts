import type { Decision } from '../../domain/decisions/decision'
import * as decisions from '../../domain/decisions/objections'
import { commentLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performSchedulingStep, performStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

interface ObjectionInput extends Caller, Reference {
  readonly text: string
  /** The digest of the content that the caller objects to; null if the body has none. */
  readonly digest: string | null
}

interface DismissalInput extends Caller, Reference {
  /** Undefined if the id in the path is invalid. */
  readonly objectionId: number | undefined
  readonly reason: string
}

export function object(services: Services, input: ObjectionInput): Promise<StoredChangeRequest> {
  const { text } = input
  const commentLimits = commentLimitsOf(services.options.limits)
  return performStep(services, 'object', input, (current, command) =>
    decisions.object(current, { ...command, text, commentLimits }),
  )
}

export function liftObjection(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  return performSchedulingStep(services, 'liftObjection', input, decisions.liftObjection)
}

export function dismissObjection(services: Services, input: DismissalInput): Promise<StoredChangeRequest> {
  const { objectionId, reason } = input
  return performSchedulingStep(
    services,
    'dismissObjection',
    input,
    (current, command): Decision => decisions.dismissObjection(current, { ...command, objectionId, reason }),
  )
}

export function takeBackApproval(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  return performStep(services, 'takeBackApproval', input, decisions.takeBackApproval)
}
