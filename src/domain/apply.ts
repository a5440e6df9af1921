import type { Author, Change, ChangeRequest, JsonValue } from './change-request'
import { segmentId } from './content/grouping'
import type { Decision } from './decision'
import type { EventDraft } from './events/events'
import type { FlagState } from './flags/flag-state'
import { enter, requireReviewed, type StepOccasion, tell, withComment } from './review'
import { requireTransition } from './rules'

/** What an application goes by. */
export interface ApplyOccasion extends StepOccasion {
  /** Of all that is carried out, default changes included. */
  readonly digest: string
}

/** What must hold before anything runs: room for the comment, state, and approvals of exactly what is carried out. */
export function requireApplicable(current: ChangeRequest, occasion: ApplyOccasion): void {
  withComment(current, occasion)
  if (current.state !== 'In review') requireTransition(current, 'apply', 'Applied')
  requireReviewed(current, occasion.digest)
  requireTransition(current, 'apply', 'Applied')
}

/** The intent to apply, stored before a gateway without a shared transaction is called. */
export function beginApply(current: ChangeRequest, applyId: string, by: Author, now: string): Decision {
  return { changeRequest: { ...current, applying: { applyId, startedAt: now, by } }, events: [] }
}

/** The gateway refused or failed: everything is as it was. */
export function abandonApply(current: ChangeRequest): Decision {
  return { changeRequest: { ...current, applying: null }, events: [] }
}

/** -> Applied, with what the flags were before and the events of the flags first (contract 6.4). */
export function completeApply(
  current: ChangeRequest,
  occasion: StepOccasion,
  flagEvents: readonly EventDraft[],
  before: FlagState | undefined,
): Decision {
  const settled = withComment({ ...current, applying: null }, occasion)
  const entered = enter({ ...settled, schedule: null }, requireTransition(settled, 'apply', 'Applied'), occasion)
  const changeRequest = withSnapshots(entered, before)
  return { changeRequest, events: [...flagEvents, tell('change-request-applied', changeRequest, occasion)] }
}

/** Once closed, each change keeps its target as it was before (contract 5.2). */
export function withSnapshots(current: ChangeRequest, before: FlagState | undefined): ChangeRequest {
  if (before === undefined) return current
  const changes = current.changes.map((change): Change => {
    const snapshot = snapshotOf(change, before)
    return snapshot === undefined ? change : { ...change, snapshot }
  })
  return { ...current, changes }
}

function snapshotOf(change: Change, { features, segments }: FlagState): JsonValue | undefined {
  if (change.feature === null) return segments.get(segmentId(change)) as JsonValue | undefined
  const feature = features.get(change.feature)
  if (feature === undefined) return undefined
  switch (change.action) {
    case 'updateStrategy':
    case 'deleteStrategy': {
      const { id } = change.payload as { id: string }
      return feature.strategies?.find((strategy) => strategy.id === id) as JsonValue | undefined
    }
    case 'patchVariant':
      return feature.variants === undefined ? undefined : { variants: [...feature.variants] }
    case 'updateEnabled':
      return { enabled: feature.enabled }
    default:
      return undefined
  }
}
