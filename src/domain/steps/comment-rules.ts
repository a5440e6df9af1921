import type { ChangeRequest, Comment } from '../change-request'
import { isClosed } from '../lifecycle'
import { isAuthorOf, permissionThroughout } from './caller-rules'
import { findingsOf, rule } from './rule'
import { wrongState } from './state-rules'

const editableMs = 600_000

/** A comment that has a text; undefined if there is none with this id, and if it was deleted. */
export function findComment({ comments }: ChangeRequest, commentId: number | undefined): Comment | undefined {
  return comments.find(({ id, text }) => id === commentId && text !== null)
}

export function isCommentAuthor(what: string) {
  return rule(['userId', 'commentId'], (current, { userId, commentId }) => {
    const comment = findComment(current, commentId)
    return comment === undefined || userId === null || comment.createdBy.id === userId
      ? undefined
      : { code: 'not-the-author', message: `Only the author of the comment may ${what} it.` }
  })
}

const mayApprove = permissionThroughout('APPROVE_CHANGE_REQUEST')

/** The author of the comment, the author of the change request, and anyone who can approve. */
export const mayResolve = rule(['userId', 'commentId', ...mayApprove.needs], (current, facts) => {
  const { userId, commentId } = facts
  const isOfCaller = isAuthorOf(current, userId) || findComment(current, commentId)?.createdBy.id === userId
  return isOfCaller ? undefined : findingsOf(mayApprove, current, facts)
})

/** The comments of a closed change request are part of its record. */
export const isDiscussionOpen = rule([], ({ state }) =>
  isClosed({ state })
    ? wrongState(`The change request is ${state}: its comments can no longer be edited, deleted or resolved.`)
    : undefined,
)

/** The comment was written recently, and nothing can refer to it yet. */
export const isUnanswered = rule(['commentId', 'at'], (current, { commentId, at }) => {
  const comment = findComment(current, commentId)
  if (comment === undefined || at === null || isClosed(current)) return undefined
  if (Date.parse(at) - Date.parse(comment.createdAt) > editableMs) {
    return wrongState('A comment can be edited or deleted only within 10 minutes.')
  }
  const isLast = comment.id === current.comments.at(-1)?.id && comment.id > (current.finalComments ?? 0)
  const final =
    'A comment can be edited or deleted only until someone comments, votes or changes the state, and not if it was sent ' +
    'with such a step.'
  return isLast ? undefined : wrongState(final)
})
