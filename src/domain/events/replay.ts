import type { ChangeRequest, Schedule } from '../change-request'
import type { State } from '../lifecycle'
import { maxVoidedApprovals } from '../steps/votes'
import { type EventEffect, eventEffects, type LifeEventType } from './effects'

/** What {@link replay} reads of a stored event. */
export interface LifeEvent {
  readonly id: number
  readonly type: string
  readonly createdByUserId: number | null
  readonly data: { readonly [name: string]: unknown } | null
}

export interface ReplayedApproval {
  /** The id of the voter. */
  readonly userId: number
  /** Null for an event of an earlier version, which has none. */
  readonly digest: string | null
}

/** What the events of a change request say about it. */
export interface Replayed {
  /** Null if it was discarded. */
  readonly state: State | null
  /** The status of its schedule; null unless the state is Scheduled. */
  readonly schedule: Schedule['status'] | null
  /** Oldest first. What removes approvals without an event is missing: see {@link approvalsAreKnown}. */
  readonly approvals: readonly ReplayedApproval[]
  /** The number of approvals that its events have removed. */
  readonly removedApprovals: number
  /** The number of its change-request-applied events. */
  readonly applied: number
  /** The first event that a change request cannot have in the state before it; null if there is none. */
  readonly unexpected: { readonly id: number; readonly type: LifeEventType; readonly state: State | null } | null
}

/**
 * Adds the next event of a change request to what the earlier ones say about it, in the order of their ids. Undefined until
 * its change-request-created: if the log no longer has that event, nothing can be said.
 */
export function replay(before: Replayed | undefined, event: LifeEvent): Replayed | undefined {
  const { id, type } = event
  if (!isLifeEvent(type)) return before
  if (before === undefined) return type === 'change-request-created' ? created : undefined
  const effect: EventEffect = eventEffects[type]
  const state = before.state === null ? undefined : effect.state[before.state]
  const applied = before.applied + (type === 'change-request-applied' ? 1 : 0)
  if (state === undefined) {
    return { ...before, applied, unexpected: before.unexpected ?? { id, type, state: before.state } }
  }
  return {
    ...before,
    state,
    applied,
    schedule: scheduleAfter(before, state, effect),
    ...approvalsAfter(before, event, effect),
  }
}

const created: Replayed = {
  state: 'Draft',
  schedule: null,
  approvals: [],
  removedApprovals: 0,
  applied: 0,
  unexpected: null,
}

function isLifeEvent(type: string): type is LifeEventType {
  return Object.hasOwn(eventEffects, type)
}

function scheduleAfter(before: Replayed, state: State | null, { schedule }: EventEffect): Replayed['schedule'] {
  return state === 'Scheduled' ? (schedule ?? before.schedule) : null
}

function approvalsAfter(
  { state, approvals, removedApprovals }: Replayed,
  { createdByUserId: userId, data }: LifeEvent,
  effect: EventEffect,
): Pick<Replayed, 'approvals' | 'removedApprovals'> {
  if (effect.approvals === 'removed') return { approvals: [], removedApprovals: removedApprovals + approvals.length }
  if (effect.approvals === undefined || state === 'Applied' || userId === null) return { approvals, removedApprovals }
  const digest = typeof data?.digest === 'string' ? data.digest : null
  return { approvals: [...approvals.filter((one) => one.userId !== userId), { userId, digest }], removedApprovals }
}

/**
 * Whether the replayed approvals are those that must be stored. They are not known if an approval was removed without an event:
 * by an objection, by the user who gave it, or by an edit of custom fields. Every removed approval is stored, up to a limit.
 */
export function approvalsAreKnown(
  { voidedApprovals = [] }: Pick<ChangeRequest, 'voidedApprovals'>,
  { removedApprovals }: Replayed,
): boolean {
  return voidedApprovals.length < maxVoidedApprovals && voidedApprovals.length <= removedApprovals
}
