import { hash } from 'node:crypto'
import fresh from 'fresh'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import type { EventHead, EventScope } from '../ports/storage/events'

/** The strong entity tag of a change request, such as `"42-7"` (contract 2.4). */
export function entityTag({ changeRequest, version }: StoredChangeRequest): string {
  return `"${changeRequest.id}-${version}"`
}

/** Whether an `If-Match` header accepts a tag; `*` accepts any. */
export function acceptsTag(ifMatch: string, tag: string): boolean {
  const tags = tagsOf(ifMatch)
  return tags.includes('*') || tags.includes(tag)
}

/** Whether an `If-Match` header names a revision; `*` names none. */
export function namesRevision(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && tagsOf(ifMatch).some((tag) => tag !== '*')
}

/** Whether an `If-None-Match` header contains the tag; the comparison is weak. */
export function containsTag(ifNoneMatch: string | undefined, tag: string): boolean {
  // Only this header: fetch() adds `Cache-Control: no-cache`, for which `fresh` returns false.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: tag })
}

function tagsOf(ifMatch: string): string[] {
  return ifMatch.split(',').map((tag) => tag.trim())
}

export function revisionOf(stored: StoredChangeRequest): string {
  return entityTag(stored).slice(1, -1)
}

/** The tag of a list of events: of the id and fingerprint of the newest event, the count and the scope (contract 2.4). */
export function eventListTag(scope: EventScope, { lastId, total, fingerprint }: EventHead): string {
  const name = isWholeLog(scope) ? 'all' : hash('sha256', JSON.stringify(scope), 'base64url').slice(0, 16)
  return `"events-${name}-${lastId}-${total}-${fingerprint}"`
}

export function isWholeLog(scope: EventScope): boolean {
  return Object.keys(scope).length === 0
}
