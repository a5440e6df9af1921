import type { Change, Comment, JsonValue, Schedule, Vote } from '../../domain/change-request'
import { groupByFeature, namedSegment, segmentChanges } from '../../domain/content/grouping'
import { shownTitle } from '../../domain/content/title'
import type { Freeze } from '../../domain/freezes/freeze'
import type { Missing } from '../../domain/steps/codes'
import type { Requirement } from '../../domain/steps/requirements'
import type {
  ChangeRequestView,
  ChangeView,
  CommentView,
  FeatureGroupView,
  FreezeView,
  ListedChangeRequestView,
  RequirementView,
  ReviewStepView,
  ScheduleView,
  VoteView,
} from '../../generated'
import type { ResolvedOptions } from '../../options/router-options'
import { toPersonView, toVoterView } from '../host/person-views'
import type { Described } from './describe'
import { segmentName } from './segments'

export function toChangeRequestView(
  described: Described,
  { stateTimestamps }: Pick<ResolvedOptions, 'stateTimestamps'>,
): ChangeRequestView {
  const view = toListedView(described)
  return stateTimestamps ? { ...view, stateTimestamps: { ...described.changeRequest.stateTimestamps } } : view
}

/** A change request in a list: in full, but without `stateTimestamps` (contract 5.4). */
export function toListedView(described: Described): ListedChangeRequestView {
  const { changeRequest } = described
  const { id, environment, project, minApprovals, state, schedule } = changeRequest
  const view = {
    id,
    title: shownTitle(changeRequest),
    environment,
    project,
    minApprovals,
    features: [...groupByFeature(changeRequest.changes)].map((group) => toFeatureGroupView(group, described)),
    segments: segmentChanges(changeRequest.changes).map((change) => {
      return { ...toChangeView(change, described), name: segmentName(namedSegment(change), described.segmentNames) }
    }),
    approvals: changeRequest.approvals.map((vote) => toVoteView(vote, described)),
    rejections: changeRequest.rejections.map((vote) => toVoteView(vote, described)),
    comments: changeRequest.comments.flatMap((comment) => toCommentView(comment, described)),
    createdBy: toPersonView(changeRequest.createdBy, described),
    createdAt: changeRequest.createdAt,
  }
  if (state !== 'Scheduled') return { ...view, state }
  return { ...view, state, schedule: toScheduleView(schedule) }
}

function toFeatureGroupView([name, changes]: [string, Change[]], described: Described): FeatureGroupView {
  const defaultChange = described.defaultChanges.get(name)
  return {
    name,
    changes: changes.map((change) => toChangeView(change, described)),
    conflict: described.conflicts.features.get(name),
    defaultChange: defaultChange && { action: defaultChange.action, payload: defaultChange.payload },
  } as FeatureGroupView
}

function toChangeView(change: Change, described: Described): ChangeView {
  const { id, action, createdBy, createdAt } = change
  const conflicting = described.scheduleConflicts.get(id)
  // JSON has no undefined members. Spreads would take many times as long.
  return {
    id,
    action,
    payload: payloadWithSnapshot(change),
    conflict: described.conflicts.changes.get(id),
    scheduleConflicts: conflicting && {
      changeRequests: conflicting.map((one) => ({ id: one.id, title: shownTitle(one) })),
    },
    createdBy: toPersonView(createdBy, described),
    createdAt,
  } as ChangeView
}

/** Only a payload that is an object can have a snapshot. */
function payloadWithSnapshot({ payload, snapshot }: Change): JsonValue {
  if (snapshot === undefined || typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return payload
  return { ...payload, snapshot }
}

function toVoteView({ createdBy, createdAt }: Vote, described: Described): VoteView {
  return { createdBy: toVoterView(createdBy, described), createdAt }
}

/** Nothing for a deleted comment. */
function toCommentView({ id, text, createdBy, createdAt }: Comment, described: Described): CommentView | [] {
  return text === null ? [] : { id, text, createdBy: toPersonView(createdBy, described), createdAt }
}

export function toRequirementView<Given extends number | null>(
  { from, because, approvedBy, ...rest }: Omit<Requirement, 'given'> & { readonly given: Given },
  described: Pick<Described, 'people'>,
): RequirementView & { given: Given } {
  return {
    ...rest,
    because: [...because],
    from: toFromView(from),
    approvedBy: approvedBy.map((person) => toPersonView(person, described)),
  }
}

export function toStepView({
  step,
  offered,
  missing,
}: Pick<ReviewStepView, 'step' | 'offered'> & { readonly missing: readonly Missing[] }): ReviewStepView {
  const listed = missing.map(({ code, message }) => ({ code, message }))
  return { step, allowed: listed.length === 0, offered, missing: listed }
}

export function toFromView(from: Requirement['from']): RequirementView['from'] {
  return from && { groups: [...from.groups], users: [...from.users] }
}

export function toScheduleView(schedule: Schedule | null): ScheduleView {
  if (schedule === null) throw new Error('A scheduled change request has no schedule.')
  const { scheduledAt, status, reason } = schedule
  if (status === 'pending') return { scheduledAt, status }
  const why = reason ?? ''
  return status === 'failed'
    ? { scheduledAt, status, reason: why, failureReason: why }
    : { scheduledAt, status, reason: why }
}

export function toFreezeView({
  name,
  reason,
  from,
  until,
  when,
  scheduled = 'hold',
  mode = 'enforce',
}: Freeze): FreezeView {
  return { name, reason, from, until: until ?? null, when: (when ?? null) as FreezeView['when'], scheduled, mode }
}
