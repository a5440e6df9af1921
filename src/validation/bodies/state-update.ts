import { type State, states } from '../../domain/lifecycle'
import type { StateUpdate } from '../../generated/index'
import { badData, notAmong } from '../core/problems'
import { checkBody } from './check-body'
import { longestComment } from './comment'
import { trimText } from './trim-text'

/** The state that a change request is to go to. */
export interface RequestedState {
  readonly state: State
  /** Trimmed; null for none and for a blank one. */
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
}

/**
 * Reads the body that moves a change request to another state. Whether the time has passed is not looked at. Like all
 * of these it expects a body that has passed `guardBody`.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseStateUpdate(body: unknown): RequestedState {
  const { state } = ownProperties(body)
  if (state !== undefined && !(states as readonly unknown[]).includes(state)) {
    throw badData([notAmong(states, state, ['body', 'state'])])
  }
  const update = checkBody<StateUpdate>(state === 'Scheduled' ? 'stateUpdateScheduled' : 'stateUpdateUnscheduled', body)
  const { comment = '', digest = null } = update
  return {
    state: update.state,
    comment: comment.trim() === '' ? null : trimText(comment, 'comment', longestComment),
    scheduledAt: update.state === 'Scheduled' ? new Date(update.scheduledAt).toISOString() : null,
    digest,
  }
}

function ownProperties(body: unknown): { readonly state?: unknown } {
  return typeof body === 'object' ? { ...body } : {}
}
