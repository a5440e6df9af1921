import type { changeRequestEventTypes } from '../../generated/lists'
import type { Schedule } from '../change-request'
import type { State } from '../lifecycle'

/** The events of one change request; the settings of an environment belong to none. */
export type LifeEventType = Exclude<(typeof changeRequestEventTypes)[number], 'change-request-configuration-updated'>

/** What an event does to its change request. */
export interface EventEffect {
  /** The state after it, by the state before it; null deletes the change request. States that are absent cannot have the event. */
  readonly state: { readonly [before in State]?: State | null }
  /** The status of the schedule after it; absent if it does not change. Only a Scheduled change request has a schedule. */
  readonly schedule?: Schedule['status']
  /** `removed`: all approvals; `added`: one approval, in place of an earlier one of the same user. */
  readonly approvals?: 'added' | 'removed'
}

const edited = {
  state: { Draft: 'Draft', 'In review': 'In review', Approved: 'In review', Scheduled: 'In review' },
  approvals: 'removed',
} as const

/**
 * The state of a change request follows from its events (contract 8.4): the decisions enter these states, and `verifyStorage`
 * compares them with what is stored.
 */
export const eventEffects = {
  // The first event: before it, there is no state.
  'change-request-created': { state: {} },
  'change-added': { ...edited, state: { Draft: 'Draft', 'In review': 'In review', Approved: 'In review' } },
  // A rebase edits and discards the changes of a Scheduled change request.
  'change-edited': edited,
  'change-discarded': edited,
  'change-request-discarded': { state: { Draft: null } },
  // From Approved if an approval was taken back.
  'change-request-sent-to-review': { state: { Draft: 'In review', Approved: 'In review' } },
  // In the state Applied it acknowledges an emergency and is no approval.
  'change-request-approval-added': {
    state: { 'In review': 'In review', Approved: 'Approved', Scheduled: 'Scheduled', Applied: 'Applied' },
    approvals: 'added',
  },
  'change-request-approved': { state: { 'In review': 'Approved' } },
  'change-request-rejected': { state: { 'In review': 'Rejected', Scheduled: 'Rejected' } },
  'change-request-cancelled': { state: { Draft: 'Cancelled', 'In review': 'Cancelled', Approved: 'Cancelled' } },
  'change-request-scheduled': { state: { Approved: 'Scheduled', Scheduled: 'Scheduled' }, schedule: 'pending' },
  'change-request-schedule-suspended': { state: { Scheduled: 'Scheduled' }, schedule: 'suspended' },
  'change-request-scheduled-application-failure': { state: { Scheduled: 'Scheduled' }, schedule: 'failed' },
  // From Draft and In review only in an emergency.
  'change-request-applied': {
    state: { Draft: 'Applied', 'In review': 'Applied', Approved: 'Applied', Scheduled: 'Applied' },
  },
  'change-request-scheduled-application-success': { state: { Applied: 'Applied' } },
  'change-request-requested-approvers-updated': { state: { Draft: 'Draft', 'In review': 'In review' } },
} as const satisfies { readonly [type in LifeEventType]: EventEffect }

/** The state after an event, null for a deleted change request. @throws Error if it cannot have the event in its state */
export function stateAfter(type: LifeEventType, before: State): State | null {
  const effect: EventEffect = eventEffects[type]
  const state = effect.state[before]
  if (state === undefined) throw new Error(`A change request in the state ${before} cannot have the event ${type}.`)
  return state
}
