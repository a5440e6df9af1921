import { groupByFeature, namedSegment, segmentChanges } from '../../domain/content/grouping'
import { openObjections } from '../../domain/content/objections'
import { stateSince, summarize } from '../../domain/content/summary'
import { shownTitle } from '../../domain/content/title'
import { needsAcknowledgement } from '../../domain/decisions/review'
import { effectsOf } from '../../domain/diff/diff'
import { type LinkOptions, pageLink } from '../../domain/links'
import type { EffectView, InboxTotalView, ReviewListItemView, ReviewsView } from '../../generated'
import { jsonReply, type Reply } from '../../http/reply'
import { revisionOf } from '../../kernel/etag'
import { toAuthorView, toPersonView } from '../../kernel/host/person-views'
import type { Services } from '../../kernel/services'
import { toRequirementView, toScheduleView } from '../../kernel/view/change-request'
import type { Described } from '../../kernel/view/describe'
import { segmentName } from '../../kernel/view/segments'
import type { ReviewCursor } from '../../ports/storage/change-requests'
import { type Inbox, type InboxItem, maxCounted } from './reviews'

export function viewReviews({ items, feature, next, totals }: Inbox, { options }: Pick<Services, 'options'>): Reply {
  const view: ReviewsView = {
    reviews: items.map((item) => toItemView(item, options, feature)),
    next: next && toCursor(next),
    totals: totals && {
      me: toTotal(totals.me),
      mine: toTotal(totals.mine),
      all: toTotal(totals.all),
      toFix: totals.toFix === null ? null : toTotal(totals.toFix),
    },
  }
  return jsonReply(view)
}

function toTotal(found: number): InboxTotalView {
  return { count: Math.min(found, maxCounted), atLeast: found > maxCounted }
}

/** Parsed by `validation/queries/review-search.ts`. */
function toCursor({ at, id }: ReviewCursor): string {
  return `${Date.parse(at)}-${id}`
}

export type ListOptions = LinkOptions & { readonly objections: boolean }

export function toItemView(item: InboxItem, options: ListOptions, feature?: string): ReviewListItemView {
  const { described, waitsFor, because, conflict, overwrites } = item
  const { changeRequest, segmentNames } = described
  const { id, project, environment, state, createdBy, createdAt, updatedAt } = changeRequest
  const { changes, schedule, scheduling, approvals, ended } = changeRequest
  const { held } = summarize(changeRequest)
  return {
    id,
    project,
    environment,
    title: shownTitle(changeRequest),
    state,
    stateSince: stateSince(changeRequest),
    revision: revisionOf(described),
    ...pageLink(options, changeRequest),
    createdBy: toPersonView(createdBy, described),
    author: toAuthorView(createdBy, described),
    createdAt,
    updatedAt,
    features: [...groupByFeature(changes).keys()],
    segments: segmentChanges(changes).map((change) => segmentName(namedSegment(change), segmentNames)),
    ...(schedule === null ? {} : { schedule: toScheduleView(schedule) }),
    ...(scheduling?.follows !== undefined && { follows: scheduling.follows }),
    ...(held !== undefined && { held: held.by }),
    waitsFor: waitsFor.map((one) => toRequirementView(one, described)),
    because: [...because],
    approvedBy: approvals.map((vote) => toPersonView(vote.createdBy, described)),
    endedBy: ended === undefined ? null : toPersonView(ended.by, described),
    effects: toEffectViews(described, feature),
    conflict,
    overwrites,
    ...(options.objections && { objections: openObjections(changeRequest).length }),
    needsAcknowledgement: needsAcknowledgement(changeRequest),
  }
}

const maxEffects = 2

/**
 * What it does to its first flags or segments, or did to them once it is closed; null while the gateway fails. Implied changes
 * come after the others of their flag. The flag `wanted` comes first.
 */
export function toEffectViews(described: Described, wanted?: string): EffectView[] | null {
  const { changeRequest, flags, flagsError, segmentNames } = described
  if (flagsError !== undefined) return null
  const byTarget = new Map<string, { name: string; changes: EffectView['changes'] }>()
  const effects = effectsOf(changeRequest, flags)
  const isWanted = ({ feature }: (typeof effects)[number]) => wanted !== undefined && feature === wanted
  for (const effect of [...effects.filter(isWanted), ...effects.filter((one) => !isWanted(one))]) {
    const { feature, action, before, after } = effect
    const name = feature ?? segmentName(namedSegment(effect), segmentNames)
    // A flag can have the name of a segment.
    const key = JSON.stringify([feature === null, name])
    const target = byTarget.get(key) ?? { name, changes: [] }
    byTarget.set(key, target)
    target.changes.push({ action, before, after })
  }
  return [...byTarget.values()].slice(0, maxEffects)
}
