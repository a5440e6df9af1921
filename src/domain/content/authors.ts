import type { Author, ChangeRequest } from '../change-request'

/** True for the author, and for everyone else who added or edited a change or for whom a machine did (contract 23). */
export function isOwn(changeRequest: ChangeRequest, id: number | null): boolean {
  return id !== null && (changeRequest.createdBy.id === id || otherAuthors(changeRequest).includes(id))
}

export function otherAuthors({ createdBy, changes, otherAuthors: stored = [] }: ChangeRequest): readonly number[] {
  const ids = new Set([...stored, ...changes.map((change) => change.createdBy.id)])
  ids.delete(createdBy.id)
  return [...ids]
}

/** Adds the author of an added or edited change, and the person for whom a machine did that. */
export function withAuthor(changeRequest: ChangeRequest, { person: { id, onBehalfOf } }: Author): ChangeRequest {
  const { createdBy, otherAuthors: stored = [] } = changeRequest
  const known = new Set([createdBy.id, ...stored])
  const added = [id, ...(onBehalfOf === undefined ? [] : [onBehalfOf.id])].filter((one) => !known.has(one))
  return added.length === 0 ? changeRequest : { ...changeRequest, otherAuthors: [...stored, ...added] }
}
