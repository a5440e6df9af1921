import type { Change, ChangeRequest, Comment, JsonValue, Person, Vote } from '../domain/change-request'
import { groupByFeature, segmentChanges, segmentId } from '../domain/changes'
import type {
  ChangeRequestView,
  ChangeView,
  CommentView,
  FeatureGroupView,
  PersonView,
  SegmentChangeView,
  VoteView,
} from '../generated/index'

export interface ViewOptions {
  /** False for clients of before 7.2, whose shape is closed without them. */
  readonly stateTimestamps: boolean
}

/** A change request as a single answer shows it (contract 5.1). */
export function toChangeRequestView(changeRequest: ChangeRequest, options: ViewOptions): ChangeRequestView {
  const { id, title, environment, project, minApprovals, state, schedule } = changeRequest
  const view = {
    id,
    title: title ?? `Change request #${id}`,
    environment,
    project,
    minApprovals,
    features: [...groupByFeature(changeRequest.changes)].map(toFeatureGroupView),
    segments: segmentChanges(changeRequest.changes).map(toSegmentChangeView),
    approvals: changeRequest.approvals.map(toVoteView),
    rejections: changeRequest.rejections.map(toVoteView),
    comments: changeRequest.comments.map(toCommentView),
    createdBy: toPersonView(changeRequest.createdBy),
    createdAt: changeRequest.createdAt,
    ...(options.stateTimestamps ? { stateTimestamps: { ...changeRequest.stateTimestamps } } : {}),
  }
  if (state !== 'Scheduled') return { ...view, state }
  if (schedule === null) throw new Error(`The scheduled change request ${id} has no schedule.`)
  const { scheduledAt, status, reason } = schedule
  if (status === 'pending') return { ...view, state, schedule: { scheduledAt, status } }
  return { ...view, state, schedule: { scheduledAt, status, reason: reason ?? '' } }
}

function toFeatureGroupView([name, changes]: [string, Change[]]): FeatureGroupView {
  return { name, changes: changes.map(toChangeView) }
}

function toChangeView({ id, action, payload, createdBy, createdAt }: Change): ChangeView {
  return { id, action, payload: payload as ChangeView['payload'], createdBy: toPersonView(createdBy), createdAt }
}

function toSegmentChangeView(change: Change): SegmentChangeView {
  const name = (change.payload as { name?: JsonValue }).name
  return { ...toChangeView(change), name: typeof name === 'string' ? name : `Segment #${segmentId(change)}` }
}

function toPersonView({ id, username, imageUrl }: Person): PersonView {
  return { id, username, imageUrl }
}

/** In votes nothing may be null: what is unknown is left out (contract 5.2). */
function toVoteView({ createdBy, createdAt }: Vote): VoteView {
  const { id, username, imageUrl } = createdBy
  return {
    createdBy: { id, username: username ?? 'unknown', ...(imageUrl === null ? {} : { imageUrl }) },
    createdAt,
  }
}

function toCommentView({ id, text, createdBy, createdAt }: Comment): CommentView {
  return { id, text, createdBy: toPersonView(createdBy), createdAt }
}
