import type { Decision } from '../domain/decision'
import { ChangeRequestError } from '../errors'
import type { StoredChangeRequest } from '../ports/storage'

/** The strong tag of a change request, such as `"42-7"` (contract 2.4). */
export function entityTag({ changeRequest, version }: StoredChangeRequest): string {
  return `"${changeRequest.id}-${version}"`
}

/**
 * Binds a write to the revision that the caller saw. Who may not write at all, or names what is not there, is told so
 * first; everything else that speaks against the write comes after the revision (contract 11.4).
 *
 * @param obstacle What speaks against the write whatever the change request holds; comes before its state.
 * @throws PreconditionFailedError when `If-Match` names another revision, or any and there is none.
 */
export function boundTo(
  ifMatch: string | undefined,
  current: StoredChangeRequest | undefined,
  decide: () => Decision,
  obstacle?: ChangeRequestError,
): Decision {
  const bound = ifMatch === undefined || matches(ifMatch, current)
  if (bound && obstacle === undefined) return decide()
  try {
    decide()
  } catch (error) {
    if (ChangeRequestError.is(error) && ['OperationDeniedError', 'NotFoundError'].includes(error.name)) throw error
  }
  if (bound && obstacle !== undefined) throw obstacle
  throw new ChangeRequestError(
    'PreconditionFailedError',
    current === undefined
      ? 'If-Match was sent, but there is no change request yet that would take the changes.'
      : 'The change request is not the one that If-Match names: it was altered. Read it again before you decide.',
  )
}

function matches(ifMatch: string, current: StoredChangeRequest | undefined): boolean {
  if (current === undefined) return false
  const wanted = ifMatch.split(',').map((tag) => tag.trim())
  return wanted.includes('*') || wanted.includes(entityTag(current))
}
