import type { CommentSubmission } from '../../generated/index'
import { checkBody } from './check-body'
import { trimText } from './trim-text'

export const longestComment = 10_000

/**
 * Reads the body that adds a comment.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseComment(body: unknown): string {
  return trimText(checkBody<CommentSubmission>('commentSubmission', body).text, 'text', longestComment)
}
