import type { ChangeRequest, Comment, Objection, VoidedApproval } from '../../domain/change-request'
import type {
  DiscussionCommentView,
  EndingView,
  ObjectionView,
  ReviewEmergencyView,
  VoidedApprovalView,
} from '../../generated/index'
import { type People, toAuthorView, toPersonView } from '../host/person-views'

export function toVoidedView({ by, at, cause, causedBy }: VoidedApproval, people: People): VoidedApprovalView {
  return { by: toPersonView(by, people), at, cause, causedBy: toPersonView(causedBy, people) }
}

export function toObjectionView({ id, by, at, text, outdated, ended }: Objection, people: People): ObjectionView {
  const ending = ended && { ...ended, by: toPersonView(ended.by, people), reason: ended.reason ?? null }
  return { id, person: toPersonView(by, people), at, text, outdated: outdated === true, ended: ending ?? null }
}

export function toEmergencyView({ emergency }: ChangeRequest, people: People): ReviewEmergencyView | null {
  if (emergency === undefined) return null
  const { reason, missing, acknowledgement } = emergency
  return {
    reason,
    missing: missing.map((one) =>
      one.code === undefined
        ? { ...one, code: 'missing-approvals' }
        : one.code === 'objection'
          ? { ...one, by: { ...one.by } }
          : one,
    ),
    acknowledgedBy: acknowledgement && toPersonView(acknowledgement.createdBy, people),
  }
}

export function toEndingView(
  { state, ended, comments, stateTimestamps }: ChangeRequest,
  people: People,
): EndingView | null {
  const at = stateTimestamps[state]
  if (ended === undefined || at === undefined) return null
  const { by, commentId, scheduled = false } = ended
  const comment = comments.find(({ id }) => id === commentId)?.text ?? null
  return { state: state as EndingView['state'], by: toPersonView(by, people), at, comment, scheduled }
}

/** A comment as every reader gets it. */
export function toCommentView(comment: Comment, people: People): Omit<DiscussionCommentView, 'may'> {
  const { id, text, createdBy, createdAt, changeId = null, editedAt = null, deletedAt, resolved } = comment
  return {
    ...{ id, text, createdBy: toPersonView(createdBy, people), author: toAuthorView(createdBy, people) },
    ...{ createdAt, changeId, editedAt },
    // Only its author can delete a comment.
    deleted: deletedAt === undefined ? null : { by: toPersonView(createdBy, people), at: deletedAt },
    resolved: resolved === undefined ? null : { by: toPersonView(resolved.by, people), at: resolved.at },
  }
}
