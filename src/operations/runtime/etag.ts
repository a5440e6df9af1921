import type { Decision } from '../../domain/decision'
import { ChangeRequestError } from '../../errors'
import type { StoredChangeRequest } from '../../ports/storage'

/** The strong tag of a change request, such as `"42-7"` (contract 2.4). */
export function entityTag({ changeRequest, version }: StoredChangeRequest): string {
  return `"${changeRequest.id}-${version}"`
}

/** The 412 of a write whose `If-Match` names another revision, or any and there is none; undefined where it fits. */
export function revisionMismatch(
  ifMatch: string | undefined,
  current: StoredChangeRequest | undefined,
): ChangeRequestError | undefined {
  if (ifMatch === undefined) return undefined
  const tags = tagsOf(ifMatch)
  if (current !== undefined && (tags.includes('*') || tags.includes(entityTag(current)))) return undefined
  return new ChangeRequestError(
    'PreconditionFailedError',
    current === undefined
      ? 'If-Match was sent, but there is no change request yet that would take the changes.'
      : 'The change request is not the one that If-Match names: it was altered. Read it again before you decide.',
  )
}

/** What a vote or an application was sent with, and what it meets. */
export interface Sight {
  readonly ifMatch: string | undefined
  /** The digest in the body; null for none. */
  readonly digest: string | null
  /** Of what would be carried out now; null where nobody knows it. */
  readonly present: string | null
  /** False when the changes are others than when the request arrived. */
  readonly sameContent: boolean
  /** The option `requireRevision`. */
  readonly revisionRequired: boolean
}

/** Why a vote or an application may not be decided on what is there: its sender did not see it (contract 6.3). */
export function blindDecision(sight: Sight): ChangeRequestError | undefined {
  const { ifMatch, digest, present, sameContent, revisionRequired } = sight
  if (revisionRequired && digest === null && !namesRevision(ifMatch)) {
    return new ChangeRequestError(
      'PreconditionRequiredError',
      'Say what you decide on: send the digest of the change request in the body, or its ETag in the header If-Match.',
    )
  }
  const seen = sameContent && (digest === null || digest === present)
  if (seen) return undefined
  return new ChangeRequestError(
    'PreconditionFailedError',
    'The changes are not those that you decided on: they were altered meanwhile. Read the change request again.',
  )
}

/** `*` names none. */
function namesRevision(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && tagsOf(ifMatch).some((tag) => tag !== '*')
}

function tagsOf(ifMatch: string): string[] {
  return ifMatch.split(',').map((tag) => tag.trim())
}

/**
 * Decides in the order of contract 11.4: who may not write at all, or names what is not there, is told so first; then
 * what speaks against the write before its content is looked at; then the content.
 *
 * @param precondition A 412 or 428.
 * @param obstacle What speaks against the write whatever the change request holds; comes before its state.
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
    if (ChangeRequestError.is(error) && ['OperationDeniedError', 'NotFoundError'].includes(error.name)) throw error
  }
  throw refusal
}
