import type { Acknowledgement } from '../../generated'
import { checkBody } from '../../validation/check-body'
import { longestComment, trimText } from '../../validation/trim-text'

/**
 * Reads the body that acknowledges an application in an emergency, after `guardBody`.
 *
 * @returns the comment, trimmed; null for none and for a blank one
 * @throws BadDataError with the first problem
 */
export function parseAcknowledgement(body: unknown): string | null {
  const { comment = '' } = checkBody<Acknowledgement>('acknowledgement', body)
  return comment.trim() === '' ? null : trimText(comment, 'comment', longestComment)
}
