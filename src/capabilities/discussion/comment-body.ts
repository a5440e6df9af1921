import type { CommentSubmission } from '../../generated/index'
import { checkBody } from '../../validation/check-body'
import { longestComment, trimText } from '../../validation/trim-text'

/**
 * Reads the body that adds a comment, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
export function parseComment(body: unknown): { readonly text: string; readonly changeId: number | null } {
  const { text, changeId = null } = checkBody<CommentSubmission>('commentSubmission', body)
  return { text: trimText(text, 'text', longestComment), changeId }
}
