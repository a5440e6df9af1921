import type { Decision } from '../domain/decisions/decision'
import { ChangeRequestError } from '../errors'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import { acceptsTag, entityTag, namesRevision } from './etag'

/** The 412 of a write whose `If-Match` names another revision, or any and there is none; undefined where it fits. */
export function revisionMismatch(
  ifMatch: string | undefined,
  current: StoredChangeRequest | undefined,
): ChangeRequestError | undefined {
  if (ifMatch === undefined) return undefined
  if (current !== undefined && acceptsTag(ifMatch, entityTag(current))) return undefined
  return new ChangeRequestError(
    'PreconditionFailedError',
    current === undefined
      ? 'If-Match was sent, but there is no change request yet that would take the changes.'
      : 'The change request is not the one that If-Match names: it was altered. Read it again before you decide.',
  )
}

/** What a vote or an application was sent with, and what is there now. */
export interface Sight {
  readonly ifMatch: string | undefined
  /** The digest in the body; null for none. */
  readonly digest: string | null
  /** Of what would be carried out now; null where nobody knows it. */
  readonly present: string | null
  /** Digests that count as well: those of before an interrupted apply was settled. */
  readonly seenBefore?: readonly string[]
  /** False when the changes are others than when the request arrived. */
  readonly sameContent: boolean
  /** The option `requireRevision`. */
  readonly revisionRequired: boolean
}

/** Why a vote or an application may not be decided on what is there: its sender did not see it (contract 6.3). */
export function blindDecision(sight: Sight): ChangeRequestError | undefined {
  const { ifMatch, digest, present, seenBefore = [], sameContent, revisionRequired } = sight
  if (revisionRequired && digest === null && !namesRevision(ifMatch)) {
    return new ChangeRequestError(
      'PreconditionRequiredError',
      'Say what you decide on: send the digest of the change request in the body, or its ETag in the header If-Match.',
    )
  }
  const seen = sameContent && (digest === null || digest === present || seenBefore.includes(digest))
  if (seen) return undefined
  return new ChangeRequestError(
    'PreconditionFailedError',
    'The changes are not those that you decided on: they were altered meanwhile. Read the change request again.',
  )
}

/**
 * Decides in the order of contract 11.4: first the refusals of callers who may not write at all and of ids that do not
 * exist, then the precondition, then the obstacle, then all other rules.
 *
 * @param precondition A 412 or 428.
 * @param obstacle A refusal that does not depend on the content of the change request; it comes before its state.
 */
export function decideInOrder(
  decide: () => Decision,
  precondition: ChangeRequestError | undefined,
  obstacle?: ChangeRequestError,
): Decision {
  const refusal = precondition ?? obstacle
  if (refusal === undefined) return decide()
  try {
    decide()
  } catch (error) {
    if (
      ChangeRequestError.is(error) &&
      ['PermissionError', 'OperationDeniedError', 'NotFoundError'].includes(error.name)
    )
      throw error
  }
  throw refusal
}
