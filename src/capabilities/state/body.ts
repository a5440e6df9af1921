import type { State } from '../../domain/lifecycle'
import type { StateUpdate } from '../../generated/index'
import { states } from '../../generated/lists'
import { checkBody, maxCommentLength, trimText } from '../../validation/check-body'
import { badData, notAmong } from '../../validation/core/problems'

/** The state that a caller requests. */
export interface RequestedState {
  readonly state: State
  /** Trimmed; null for none and for a blank one. */
  readonly comment: string | null
  /** In UTC; null for every state but Scheduled. */
  readonly scheduledAt: string | null
  /** Digest of the changes that the caller has seen; null where the body has none. */
  readonly digest: string | null
  /** Trimmed; null unless it is an emergency. */
  readonly reason: string | null
}

/**
 * Reads the body that moves a change request to another state, after `guardBody`. It does not check whether the time of a
 * schedule has passed.
 *
 * @throws BadDataError with the first problem
 */
export function parseStateUpdate(body: unknown): RequestedState {
  const { state } = ownProperties(body)
  if (state !== undefined && !(states as readonly unknown[]).includes(state)) {
    throw badData([notAmong(states, state, ['body', 'state'])])
  }
  const update = checkBody<StateUpdate>(state === 'Scheduled' ? 'stateUpdateScheduled' : 'stateUpdateUnscheduled', body)
  const { comment = '', digest = null } = update
  const emergency = update.state === 'Scheduled' ? undefined : update.emergency
  if (emergency !== undefined && update.state !== 'Applied') throw badData([notForThisState])
  return {
    state: update.state,
    comment: comment.trim() === '' ? null : trimText(comment, 'comment', maxCommentLength),
    scheduledAt: update.state === 'Scheduled' ? new Date(update.scheduledAt).toISOString() : null,
    digest,
    reason: emergency === undefined ? null : trimText(emergency.reason, 'emergency/reason', 1_000, 10),
  }
}

const notForThisState = { path: '/body/emergency', message: 'is only for the state Applied' }

function ownProperties(body: unknown): { readonly state?: unknown } {
  return typeof body === 'object' ? { ...body } : {}
}
