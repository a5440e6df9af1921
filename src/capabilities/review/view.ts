import { scopeOf } from '../../domain/actions/table'
import type { ApprovalRule } from '../../domain/approval/approval-rule'
import { expiresAt, isExpired } from '../../domain/approval/expiry'
import type { Change, ChangeRequest, Comment, Vote, VotedChange } from '../../domain/change-request'
import type { Check } from '../../domain/checks/check'
import { startOf, timeAfter } from '../../domain/content/follow'
import { shownTitle } from '../../domain/content/title'
import { closedStates } from '../../domain/lifecycle'
import { pageLink } from '../../domain/links'
import { sourcesOf } from '../../domain/steps/requirements'
import { changedSince } from '../../domain/steps/votes'
import type {
  ApprovalRulesView,
  ApprovalRuleView,
  DiscussionCommentView,
  FollowedScheduleView,
  OtherScheduleView,
  PresetScheduleView,
  ReviewChangeView,
  ReviewView,
} from '../../generated/index'
import { jsonReply, type Reply } from '../../http/reply'
import { changeDigests, toVotedChanges } from '../../kernel/digest'
import { entityTag, revisionOf } from '../../kernel/etag'
import { toAuthorView, toPersonView } from '../../kernel/host/person-views'
import type { Services } from '../../kernel/services'
import {
  toChangeRequestView,
  toFreezeView,
  toFromView,
  toRequirementView,
  toScheduleView,
  toStepView,
} from '../../kernel/view/change-request'
import { toCheckViews } from '../../kernel/view/checks'
import { toCustomFieldsView } from '../../kernel/view/custom-fields'
import type { Described } from '../../kernel/view/describe'
import {
  toCommentView,
  toEmergencyView,
  toEndingView,
  toObjectionView,
  toVoidedView,
} from '../../kernel/view/stored-parts'
import type { Review } from './review'

/** The review as a response, with the entity tag of the change request (contract 12). */
export function viewReview(
  review: Review,
  { options, customFields }: Pick<Services, 'options' | 'customFields'>,
): Reply {
  const { described, digest, requirements, diffs, endsAtEverybody, causes, revertedBy, interrupted, steps } = review
  const { changeRequest } = described
  const stored = new Map(changeRequest.changes.map((change) => [change.id, change]))
  const current = changeDigests(changeRequest)
  const digests = new Map(current.map(({ id, digest }) => [id, digest]))
  const view: ReviewView = {
    id: changeRequest.id,
    state: changeRequest.state,
    author: toAuthorView(changeRequest.createdBy, described),
    revision: revisionOf(described),
    ...pageLink(options, changeRequest),
    flags: described.flagsError === undefined ? 'current' : 'unavailable',
    digest,
    requirements: requirements.map((one) => toRequirementView(one, described)),
    approvers: changeRequest.requestedApprovers.map((id) =>
      toPersonView({ id, username: null, imageUrl: null }, described),
    ),
    votes: toVoteViews(review, toVotedChanges(current)),
    voidedApprovals: toVoidedViews(review),
    ...(options.objections && toObjectionParts(review)),
    changes: diffs.map((diff): ReviewChangeView => {
      // Without a spread, which takes many times as long.
      const { id, action, feature, before, after, conflict, baseKnown, fields } = diff
      const { replaces = null, createdBy } = stored.get(id) as Change
      return {
        id,
        action,
        feature,
        before,
        after,
        ...(review.isForeseen && { foreseen: true }),
        conflict,
        baseKnown,
        scope: scopeOf(diff),
        fields: described.flagsError === undefined ? [...fields] : null,
        endsAtEverybody: endsAtEverybody.get(id) ?? null,
        causedBy: causes.get(id) ?? null,
        digest: digests.get(id) as string,
        replaces,
        author: toAuthorView(createdBy, described),
      }
    }),
    customFields: customFields === undefined ? null : toCustomFieldsView(described, customFields),
    discussion: changeRequest.comments.map((comment) => toDiscussionView(comment, review)),
    revertedBy,
    applying: toAttemptView(described, interrupted),
    freezes: { now: review.freezes.now.map(toFreezeView), scheduled: review.freezes.scheduled.map(toFreezeView) },
    ...(review.checks && { checks: toCheckViews(described, review.checks, digest) }),
    presetSchedule: toPresetScheduleView(review),
    otherSchedules: review.otherSchedules.map(toOtherScheduleView),
    ...toFollowingParts(review),
    emergency: toEmergencyView(changeRequest, described),
    ended: toEndingView(changeRequest, described),
    steps: steps.map(toStepView),
    segmentNames: Object.fromEntries(review.segmentNames),
    segmentUse: Object.fromEntries([...review.segmentUse].map(([id, users]) => [id, [...users]])),
    changeRequest: toChangeRequestView(described, options),
  }
  return jsonReply(view, { ETag: entityTag(described) })
}

/** The last voided approval of each user without a stored one, then the stored ones. */
function toVoteViews({ described, counted }: Review, current: readonly VotedChange[]): ReviewView['votes'] {
  const { approvals, voidedApprovals = [], votedContents = [] } = described.changeRequest
  const since = new Map(votedContents.map(({ digest, changes }) => [digest, changedSince(changes, current)]))
  const voided = voidedApprovals.flatMap(({ by, vote }, index): Vote[] => {
    const later = [...voidedApprovals.slice(index + 1), ...approvals.map(({ createdBy }) => ({ by: createdBy }))]
    return vote === undefined || later.some((one) => one.by.id === by.id) ? [] : [{ createdBy: by, ...vote }]
  })
  return [...voided, ...approvals].map((vote) => ({
    person: toPersonView(vote.createdBy, described),
    at: vote.createdAt,
    digest: vote.digest,
    current: counted.includes(vote),
    changes: since.get(vote.digest) ?? null,
  }))
}

/** Stored ones first, then the approvals that do not count because they expired or because the implied changes differ. */
function toVoidedViews({ described, digest, expiry }: Review): ReviewView['voidedApprovals'] {
  const { approvals, state, voidedApprovals = [] } = described.changeRequest
  // Nothing is applied from a closed state, so nothing voids an approval there.
  const outdated = closedStates.includes(state)
    ? []
    : approvals.filter((vote) => (digest !== null && vote.digest !== digest) || isExpired(vote, expiry))
  return [
    ...voidedApprovals.map((voided) => toVoidedView(voided, described)),
    ...outdated.map((vote) => ({
      by: toPersonView(vote.createdBy, described),
      ...(expiry !== undefined && isExpired(vote, expiry)
        ? { at: expiresAt(vote, expiry), cause: 'expired' as const }
        : { at: null, cause: 'implied-change' as const }),
      causedBy: null,
    })),
  ]
}

function toObjectionParts({ described, copied }: Review): Pick<ReviewView, 'objections' | 'copiedFrom'> {
  return {
    objections: described.changeRequest.objections?.map((one) => toObjectionView(one, described)) ?? [],
    copiedFrom: copied && { id: copied.id, objections: copied.objections.map((one) => toObjectionView(one, copied)) },
  }
}

function toOtherScheduleView(other: Review['otherSchedules'][number]): OtherScheduleView {
  const { scheduledAt, status } = toScheduleView(other.schedule)
  return { id: other.id, title: shownTitle(other), scheduledAt, status }
}

function toFollowingParts({ described, following }: Review): Pick<ReviewView, 'follows' | 'followedBy'> {
  const { follows, followedBy } = following
  const { scheduling, presetSchedule } = described.changeRequest
  const minutesAfter = (scheduling ?? presetSchedule)?.minutesAfter ?? null
  return {
    ...(follows && { follows: { ...toFollowedView(follows), minutesAfter } }),
    ...(followedBy.length > 0 && { followedBy: followedBy.map(toOtherScheduleView) }),
  }
}

function toFollowedView(followed: ChangeRequest): Omit<FollowedScheduleView, 'minutesAfter'> {
  const { id, state, schedule, stateTimestamps } = followed
  const title = shownTitle(followed)
  if (schedule !== null) return { id, title, scheduledAt: schedule.scheduledAt, status: schedule.status }
  if (state !== 'Applied') return { id, title, scheduledAt: null, status: 'ended' }
  return { id, title, scheduledAt: stateTimestamps.Applied ?? null, status: 'applied' }
}

function toPresetScheduleView({ described, presetEnd, following }: Review): PresetScheduleView | null {
  const { presetSchedule } = described.changeRequest
  if (presetSchedule === undefined) return null
  const { scheduledAt, after = null, minutesAfter, by, at } = presetSchedule
  const start = following.follows && startOf(following.follows)
  const time = minutesAfter === undefined || start === undefined ? scheduledAt : timeAfter(start, minutesAfter)
  return {
    scheduledAt: time ?? 'approval',
    after,
    ...(minutesAfter !== undefined && { minutesAfter }),
    by: toPersonView(by.person, described),
    at,
    withdrawn: presetEnd && { ...presetEnd, by: presetEnd.by && toPersonView(presetEnd.by, described) },
  }
}

function toAttemptView(described: Described, interrupted: boolean): ReviewView['applying'] {
  const { applying } = described.changeRequest
  return applying == null
    ? null
    : { since: applying.startedAt, by: toPersonView(applying.by.person, described), interrupted }
}

interface RulesInForce {
  readonly rules: readonly ApprovalRule[]
  /** Undefined without the option. */
  readonly checks: readonly Check[] | undefined
}

export function viewRules({ rules, checks }: RulesInForce): Reply {
  const view: ApprovalRulesView = {
    rules: rules.map((rule) => ({
      name: rule.name,
      mode: rule.mode ?? 'enforce',
      when: (rule.when ?? null) as ApprovalRuleView['when'],
      approvals: rule.approvals,
      from: toFromView(sourcesOf(rule)),
    })),
    ...(checks && {
      checks: checks.map((check) => ({
        name: check.name,
        description: check.description ?? null,
        required: check.required ?? true,
        mode: check.mode ?? 'enforce',
        when: (check.when ?? null) as ApprovalRuleView['when'],
        from: toFromView(sourcesOf(check)),
      })),
    }),
  }
  return jsonReply(view)
}

function toDiscussionView(comment: Comment, { described, commentSteps }: Review): DiscussionCommentView {
  return { ...toCommentView(comment, described), may: [...(commentSteps.get(comment.id) ?? [])] }
}
