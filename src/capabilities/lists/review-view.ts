import type { ChangeRequest } from '../../domain/change-request'
import { groupByFeature, namedSegment, segmentChanges } from '../../domain/content/grouping'
import type { ReviewListItemView, ReviewsView } from '../../generated'
import { jsonReply, type Reply } from '../../http/reply'
import { revisionOf } from '../../kernel/etag'
import { toPersonView } from '../../kernel/view/people'
import { toRequirementView } from '../../kernel/view/requirement'
import { toScheduleView } from '../../kernel/view/schedule'
import { segmentName } from '../../kernel/view/segments'
import type { ListCursor } from '../../ports/storage/change-requests'
import type { FoundReviews, ReviewItem } from './reviews'

/** One page of change requests, with the unmet requirements of each. */
export function viewReviews({ items, next }: FoundReviews): Reply {
  const view: ReviewsView = { reviews: items.map(toItemView), next: next && toCursor(next) }
  return jsonReply(view)
}

/** Parsed by `validation/queries/review-search.ts`. */
function toCursor({ createdAt, id }: ListCursor): string {
  return `${Date.parse(createdAt)}-${id}`
}

function toItemView({ described, waitsFor }: ReviewItem): ReviewListItemView {
  const { changeRequest, segmentNames } = described
  const { id, project, environment, title, state, createdBy, createdAt, changes, schedule, stateTimestamps } =
    changeRequest
  return {
    id,
    project,
    environment,
    title: title ?? `Change request #${id}`,
    state,
    stateSince: stateTimestamps[state] ?? createdAt,
    revision: revisionOf(described),
    createdBy: toPersonView(createdBy, described),
    createdAt,
    updatedAt: lastTouched(changeRequest),
    features: [...groupByFeature(changes).keys()],
    segments: segmentChanges(changes).map((change) => segmentName(namedSegment(change), segmentNames)),
    ...(schedule === null ? {} : { schedule: toScheduleView(schedule) }),
    waitsFor: waitsFor.map((one) => toRequirementView(one, described)),
  }
}

/** The newest timestamp of a change request. Title and requested approvers have no timestamp. */
export function lastTouched(changeRequest: ChangeRequest): string {
  const { createdAt, changes, approvals, rejections, comments, stateTimestamps } = changeRequest
  const parts = [...changes, ...approvals, ...rejections, ...comments].map((part) => part.createdAt)
  // All have the same format, so they can be compared as strings.
  return [...parts, ...Object.values(stateTimestamps), createdAt].sort().at(-1) as string
}
