import { ChangeRequestError } from '../errors'
import type { Author } from './author'
import type { Change, ChangeRequest, JsonValue } from './change-request'
import type { Decision, Reviewer } from './decision'
import type { EventDraft } from './events'
import type { FlagState } from './flag-state'
import { segmentId } from './grouping'
import { enter, requireReviewed, tell } from './review'
import { follow } from './rules'

export interface ApplyCircumstances {
  readonly by: Reviewer
  readonly now: string
  readonly comment: string | null
  readonly digest: string
}

/** What must hold before anything runs: state, approvals, and that the stored changes are the approved ones. */
export function requireApplicable(current: ChangeRequest, { digest }: Pick<ApplyCircumstances, 'digest'>): void {
  if (current.state !== 'In review') follow(current, 'apply', 'Applied')
  requireReviewed(current, digest)
  follow(current, 'apply', 'Applied')
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
  circumstances: ApplyCircumstances,
  flagEvents: readonly EventDraft[],
  before: FlagState | undefined,
): Decision {
  const state = follow(current, 'apply', 'Applied')
  const entered = enter({ ...current, schedule: null, applying: null }, state, circumstances)
  const changeRequest = withSnapshots(entered, before)
  return { changeRequest, events: [...flagEvents, tell('change-request-applied', changeRequest, circumstances)] }
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

/** @throws ConflictError while a gateway is at work on the change request. */
export function requireSettled({ applying }: ChangeRequest): void {
  if (applying == null) return
  throw new ChangeRequestError('ConflictError', 'The change request is being applied at this moment.', {
    retryAfter: 1,
  })
}
