import type { Acknowledgement, CommentSubmission } from '../../generated/index'
import { checkBody } from '../../validation/check-body'
import { trimText } from '../../validation/trim-text'

export const longestComment = 10_000

/**
 * Reads the body that adds a comment, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
export function parseComment(body: unknown): { readonly text: string; readonly changeId: number | null } {
  const { text, changeId = null } = checkBody<CommentSubmission>('commentSubmission', body)
  return { text: trimText(text, 'text', longestComment), changeId }
}

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
