import { closedStates } from '../lifecycle'
import { isOwn } from './caller-rules'
import { rule } from './rule'
import { cannotBecome, wrongState } from './state-rules'

export const emergenciesEnabled = rule(['options'], (_, { options }) =>
  options.emergency
    ? undefined
    : {
        code: 'emergencies-disabled',
        message: 'Nothing is applied before its approval here: emergencies are switched off.',
      },
)

/** In an emergency every state but the closed ones leads to Applied. */
export const notClosed = rule([], (current) =>
  closedStates.includes(current.state) ? cannotBecome(current, 'Applied') : undefined,
)

/** A draft may be empty. */
export const hasChangesToApply = rule([], ({ changes }) =>
  changes.length === 0
    ? { code: 'no-changes', message: 'There is nothing to apply: the change request has no changes.' }
    : undefined,
)

/** An emergency is acknowledged by another user, whatever permissions the caller has. */
export const notOwnEmergency = rule(['userId'], (current, { userId }) =>
  isOwn(current, userId) || (userId !== null && current.emergency?.appliedBy.id === userId)
    ? {
        code: 'own-change-request',
        message: 'You cannot acknowledge what you made, changed or applied: it takes a second pair of eyes.',
      }
    : undefined,
)

/** It was applied in an emergency, and nobody has acknowledged that. */
export const needsAcknowledgement = rule([], ({ emergency }) => {
  if (emergency === undefined) {
    return wrongState('There is nothing to acknowledge: the change request was not applied in an emergency.')
  }
  return emergency.acknowledgement === null
    ? undefined
    : { code: 'already-acknowledged', message: 'Somebody has acknowledged this application already.' }
})
