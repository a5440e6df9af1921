import type { Change, Comment, JsonValue, Person, Schedule, Vote } from '../../domain/change-request'
import { groupByFeature, type NamedSegment, namedSegment, segmentChanges } from '../../domain/content/grouping'
import type {
  ChangeRequestSearchItemView,
  ChangeRequestView,
  ChangeView,
  CommentView,
  FeatureGroupView,
  ListedChangeRequestView,
  PersonView,
  ReviewerView,
  ScheduledChangeRequestItemView,
  ScheduleView,
  SegmentChangeView,
  VoterView,
  VoteView,
} from '../../generated/index'
import type { Described } from '../../operations/change-requests/describe'
import type { DescribedSummary } from '../../operations/change-requests/describe-summaries'
import { firstText, toPerson } from '../../operations/people/author'
import type { Services } from '../../operations/runtime/services'
import type { StoredChangeRequest } from '../../ports/storage'
import type { User } from '../../ports/users'

/** Stands for the name of who has none, where null is no name. */
const nameless = 'unknown'

export interface ViewOptions {
  /** False for clients of before 7.2, whose shape is closed without them. */
  readonly stateTimestamps: boolean
}

/** A change request as a single answer shows it (contract 5.1). */
export function toChangeRequestView(described: Described, { stateTimestamps }: ViewOptions): ChangeRequestView {
  const view = toListedView(described)
  return stateTimestamps ? { ...view, stateTimestamps: { ...described.changeRequest.stateTimestamps } } : view
}

/** A change request as a list shows it: in full, but without `stateTimestamps` (contract 5.4). */
export function toListedView(described: Described): ListedChangeRequestView {
  const { changeRequest } = described
  const { id, title, environment, project, minApprovals, state, schedule } = changeRequest
  const view = {
    id,
    title: title ?? `Change request #${id}`,
    environment,
    project,
    minApprovals,
    features: [...groupByFeature(changeRequest.changes)].map((group) => toFeatureGroupView(group, described)),
    segments: segmentChanges(changeRequest.changes).map((change) => toSegmentChangeView(change, described)),
    approvals: changeRequest.approvals.map((vote) => toVoteView(vote, described)),
    rejections: changeRequest.rejections.map((vote) => toVoteView(vote, described)),
    comments: changeRequest.comments.map((comment) => toCommentView(comment, described)),
    createdBy: toPersonView(changeRequest.createdBy, described),
    createdAt: changeRequest.createdAt,
  }
  if (state !== 'Scheduled') return { ...view, state }
  return { ...view, state, schedule: toScheduleView(schedule) }
}

/** A change request as the search over all projects shows it (contract 3.8). */
export function toSearchItemView(described: DescribedSummary): ChangeRequestSearchItemView {
  const { summary, segmentNames } = described
  const { id, environment, project, createdAt, features, title, state, schedule } = summary
  const view = {
    id,
    environment,
    project,
    createdBy: toVoterView(summary.createdBy, described),
    createdAt,
    features: [...features],
    segments: summary.segments.map((segment) => segmentName(segment, segmentNames)),
    ...(title === null ? {} : { title }),
  }
  if (state !== 'Scheduled') return { ...view, state }
  return { ...view, state, schedule: toScheduleView(schedule) }
}

/** A scheduled change request as a page about a flag hears of it (contract 3.4). */
export function toScheduledItemView({ changeRequest }: StoredChangeRequest): ScheduledChangeRequestItemView {
  const { id, environment, title } = changeRequest
  return { id, environment, ...(title === null ? {} : { title }) }
}

/** A person as a reviewer (contract 3.7), called as in votes. `email` is required there, and empty for who has none. */
export function toReviewerView(user: User, settings: Services['settings']): ReviewerView {
  const { id, username, imageUrl } = toPerson(user, settings)
  const email = firstText(user.email) ?? ''
  return { id, email, username: username ?? nameless, name: firstText(user.name) ?? null, imageUrl }
}

function toScheduleView(schedule: Schedule | null): ScheduleView {
  if (schedule === null) throw new Error('A scheduled change request has no schedule.')
  const { scheduledAt, status, reason } = schedule
  if (status === 'pending') return { scheduledAt, status }
  const why = reason ?? ''
  return status === 'failed'
    ? { scheduledAt, status, reason: why, failureReason: why }
    : { scheduledAt, status, reason: why }
}

function toFeatureGroupView([name, changes]: [string, Change[]], described: Described): FeatureGroupView {
  const conflict = described.conflicts.features.get(name)
  const defaultChange = described.defaultChanges.get(name)
  return {
    name,
    changes: changes.map((change) => toChangeView(change, described)),
    ...(conflict === undefined ? {} : { conflict }),
    ...(defaultChange === undefined
      ? {}
      : { defaultChange: { action: defaultChange.action, payload: defaultChange.payload } }),
  } as FeatureGroupView
}

function toChangeView(change: Change, described: Described): ChangeView {
  const { id, action, createdBy, createdAt } = change
  const conflict = described.conflicts.changes.get(id)
  return {
    id,
    action,
    payload: payloadWithSnapshot(change),
    ...(conflict === undefined ? {} : { conflict }),
    createdBy: toPersonView(createdBy, described),
    createdAt,
  }
}

/** Only an object can carry one. */
function payloadWithSnapshot({ payload, snapshot }: Change): JsonValue {
  if (snapshot === undefined || typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return payload
  return { ...payload, snapshot }
}

function toSegmentChangeView(change: Change, described: Described): SegmentChangeView {
  return { ...toChangeView(change, described), name: segmentName(namedSegment(change), described.segmentNames) }
}

function segmentName({ id, name }: NamedSegment, present: ReadonlyMap<number, string>): string {
  return present.get(id) ?? name ?? `Segment #${id}`
}

/** The name as the user directory has it now; null once the directory knows the person no longer (contract 5.2). */
function toPersonView({ id, username, imageUrl }: Person, { people }: Described): PersonView {
  if (people === undefined) return { id, username, imageUrl }
  return people.get(id) ?? { id, username: null, imageUrl }
}

/** In votes nothing may be null: of people who are gone the last known name stands. */
function toVoterView(person: Person, { people }: Pick<Described, 'people'>): VoterView {
  const { id, username, imageUrl } = people?.get(person.id) ?? person
  return { id, username: username ?? nameless, ...(imageUrl === null ? {} : { imageUrl }) }
}

function toVoteView({ createdBy, createdAt }: Vote, described: Described): VoteView {
  return { createdBy: toVoterView(createdBy, described), createdAt }
}

function toCommentView({ id, text, createdBy, createdAt }: Comment, described: Described): CommentView {
  return { id, text, createdBy: toPersonView(createdBy, described), createdAt }
}
