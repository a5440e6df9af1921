import type { ApprovalRule } from '../../domain/approval/approval-rule'
import type { Comment } from '../../domain/change-request'
import { groupByFeature, namedSegment, segmentChanges } from '../../domain/content/grouping'
import { lastTouched } from '../../domain/content/last-touched'
import { scopeOf } from '../../domain/content/scope'
import type { Revert } from '../../domain/diff/revert'
import { type Requirement, sourcesOf } from '../../domain/steps/requirements'
import type {
  ApprovalRulesView,
  ApprovalRuleView,
  DiscussionCommentView,
  RequirementView,
  RevertPreviewView,
  ReviewChangeView,
  ReviewListItemView,
  ReviewStepView,
  ReviewsView,
  ReviewView,
} from '../../generated/index'
import type { Described } from '../../kernel/view/describe'
import type { Review } from './review'
import type { FoundReviews, ReviewItem } from '../lists/reviews'
import type { TimelinePage } from '../discussion/timeline'
import { entityTag } from '../../kernel/etag'
import type { ListCursor, StoredChangeRequest } from '../../ports/storage'
import { jsonReply, type Reply, uncachedJson } from '../../http/reply'
import { toPersonView } from '../../kernel/view/people'
import { toScheduleView } from '../../kernel/view/schedule'
import { segmentName } from '../../kernel/view/segments'

/** What a change request is missing, with the entity tag of the change request (extensions 1). */
export function viewReview(review: Review): Reply {
  const { described, digest, requirements, diffs, causes, revertedBy, interrupted, steps } = review
  const { changeRequest } = described
  const view: ReviewView = {
    id: changeRequest.id,
    state: changeRequest.state,
    revision: revisionOf(described),
    digest,
    requirements: requirements.map((one) => toRequirementView(one, described)),
    changes: diffs.map(
      ({ fields, ...diff }): ReviewChangeView => ({
        ...diff,
        scope: scopeOf(diff),
        fields: [...fields],
        causedBy: causes.get(diff.id) ?? null,
      }),
    ),
    discussion: changeRequest.comments.map((comment) => toCommentView(comment, described)),
    revertedBy,
    applying: toAttemptView(described, interrupted),
    steps: steps.map(({ step, missing }): ReviewStepView => {
      const listed = missing.map(({ code, message }) => ({ code, message }))
      return { step, allowed: listed.length === 0, missing: listed }
    }),
  }
  return jsonReply(view, { ETag: entityTag(described) })
}

function toAttemptView(described: Described, interrupted: boolean): ReviewView['applying'] {
  const { applying } = described.changeRequest
  return applying == null
    ? null
    : { since: applying.startedAt, by: toPersonView(applying.by.person, described), interrupted }
}

/** The entity tag without its quotes. */
function revisionOf(stored: StoredChangeRequest): string {
  return entityTag(stored).slice(1, -1)
}

function toRequirementView({ from, approvedBy, ...rest }: Requirement, described: Described): RequirementView {
  return {
    ...rest,
    from: toFromView(from),
    approvedBy: approvedBy.map((person) => toPersonView(person, described)),
  }
}

function toFromView(from: Requirement['from']): RequirementView['from'] {
  return from && { groups: [...from.groups], users: [...from.users] }
}

/** What a revert would propose. */
export function viewRevert({ changes, irreversible }: Revert): Reply {
  const view: RevertPreviewView = { changes: [...changes], irreversible: [...irreversible] }
  return jsonReply(view)
}

/** The approval rules of a place. */
export function viewRules(rules: readonly ApprovalRule[]): Reply {
  const view: ApprovalRulesView = {
    rules: rules.map((rule) => ({
      name: rule.name,
      when: (rule.when ?? null) as ApprovalRuleView['when'],
      approvals: rule.approvals,
      from: toFromView(sourcesOf(rule)),
    })),
  }
  return jsonReply(view)
}

function toCommentView({ id, text, createdBy, createdAt, changeId }: Comment, described: Described) {
  const view: DiscussionCommentView = {
    id,
    text,
    createdBy: toPersonView(createdBy, described),
    createdAt,
    changeId: changeId ?? null,
  }
  return view
}

/** One page of change requests, with what each waits for. */
export function viewReviews({ items, next }: FoundReviews): Reply {
  const view: ReviewsView = { reviews: items.map(toItemView), next: next && toCursor(next) }
  return jsonReply(view)
}

/** Read by `validation/queries/review-search.ts`. */
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

/** Events are sent as they are stored. */
export function viewTimeline({ stored, page, next }: TimelinePage): Reply {
  const start = Buffer.from('{"events":[')
  const end = Buffer.from(`],"next":${next === null ? 'null' : `"${next}"`}}`)
  return { ...uncachedJson({ ETag: entityTag(stored) }), body: Buffer.concat([start, page.json, end]) }
}
