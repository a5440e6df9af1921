import { isVisible } from '../../domain/lifecycle'
import { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { Services } from '../services'

export interface Reference {
  readonly project: string
  /** Undefined if the id in the path is invalid. */
  readonly id: number | undefined
}

/** @throws NotFoundError if there is none, or if it is the draft of another user. */
export function visible(stored: StoredChangeRequest | undefined, userId: number | null, id: number | undefined) {
  if (stored !== undefined) {
    const { state, createdBy } = stored.changeRequest
    if (isVisible(state, createdBy.id, userId)) return stored
  }
  throw new ChangeRequestError('NotFoundError', `There is no change request ${id ?? 'with this id'} in the project.`)
}

/** Returns the change request if the caller can see it. */
export async function findVisible({ storage }: Services, { project, id }: Reference, actor: Actor) {
  const stored = id === undefined ? undefined : await storage.find({ project }, id)
  return visible(stored, actor.id, id)
}
