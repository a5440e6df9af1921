import { ChangeRequestError } from '../errors'
import type { StoredChangeRequest } from '../ports/storage'

/** The strong tag of a change request, such as `"42-7"` (contract 2.4). */
export function entityTag({ changeRequest, version }: StoredChangeRequest): string {
  return `"${changeRequest.id}-${version}"`
}

/**
 * Binds a write to the revision that the caller saw.
 *
 * @throws PreconditionFailedError when `If-Match` names another revision, or any and there is none.
 */
export function checkIfMatch(ifMatch: string | undefined, current: StoredChangeRequest | undefined): void {
  if (ifMatch === undefined) return
  const wanted = ifMatch.split(',').map((tag) => tag.trim())
  if (current !== undefined && (wanted.includes('*') || wanted.includes(entityTag(current)))) return
  throw new ChangeRequestError(
    'PreconditionFailedError',
    current === undefined
      ? 'If-Match was sent, but there is no change request yet that would take the changes.'
      : 'The change request is not the one that If-Match names: it was altered. Read it again before you decide.',
  )
}
