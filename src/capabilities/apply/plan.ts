import { type ApplyRequest, requireApplicable } from '../../domain/decisions/apply'
import type { Policy } from '../../kernel/facts/policy'
import type { Outlook } from '../../kernel/flags/flag-state'
import { blindDecision, decideInOrder, revisionMismatch } from '../../kernel/preconditions'
import type { Services } from '../../kernel/services'
import { digestsBefore } from '../../kernel/settle'
import type { Caller } from '../../kernel/steps'
import type { Reference } from '../../kernel/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export interface ApplyInput extends Caller, Reference {
  readonly comment: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
  /** Why it is applied before its approval; null for an ordinary application. */
  readonly reason?: string | null
}

/** What an application is carried out with. */
export interface Plan {
  readonly loaded: StoredChangeRequest
  readonly occasion: ApplyRequest
  readonly outlook: Outlook
  readonly policy: Policy
}

/** Asked again on the flags that the transaction of an application locked. @throws unless it may be carried out */
export type PlanCheck = (plan: Plan) => void

/**
 * The caller first, then revision and content, then all else that is missing for an application (contract 11.4).
 *
 * @param sameContent False when the changes were altered after the request arrived.
 * @throws ChangeRequestError for the first check that fails.
 */
export function checkPlan(
  services: Pick<Services, 'options'>,
  input: ApplyInput,
  { loaded, occasion, outlook }: Pick<Plan, 'loaded' | 'occasion' | 'outlook'>,
  sameContent: boolean,
): void {
  const { changeRequest } = loaded
  const revisionRequired = services.options.requireRevision
  const sight = { ...input, present: outlook.digest, sameContent, revisionRequired }
  const refusal = revisionMismatch(input.ifMatch, loaded) ?? blindDecision(sight)
  const check = () => {
    requireApplicable(changeRequest, occasion)
    return { changeRequest, events: [] }
  }
  decideInOrder(check, refusal)
}

/**
 * Checks an apply whose interrupted attempt turned out to have succeeded. Revision and digest are compared with what was there
 * before the settling.
 *
 * @throws ChangeRequestError 412 or 428
 */
export async function checkSucceeded(
  services: Services,
  { ifMatch, digest }: ApplyInput,
  before: StoredChangeRequest,
  after: StoredChangeRequest,
): Promise<void> {
  const revisionRequired = services.options.requireRevision
  const seenBefore = digest === null ? [] : await digestsBefore(services, before, after)
  const sight = { ifMatch, digest, present: null, seenBefore, sameContent: true, revisionRequired }
  const refusal = revisionMismatch(ifMatch, before) ?? blindDecision(sight)
  if (refusal !== undefined) throw refusal
}
