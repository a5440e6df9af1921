import { isOwn } from '../content/authors'
import { closedStates } from '../lifecycle'
import { rule } from './rule'
import { cannotBecome, wrongState } from './state-rules'

export const emergenciesEnabled = rule(['options'], (_, { options }) =>
  options.emergency
    ? undefined
    : {
        code: 'emergencies-disabled',
        message: 'Emergency applies are disabled. Get the missing approvals first.',
      },
)

/** In an emergency, a change request can be applied from every state that is not closed. */
export const notClosed = rule([], (current) =>
  closedStates.includes(current.state) ? cannotBecome(current, 'Applied') : undefined,
)

/** A draft may be empty. */
export const hasChangesToApply = rule([], ({ changes }) =>
  changes.length === 0
    ? { code: 'no-changes', message: 'There is nothing to apply: the change request has no changes.' }
    : undefined,
)

/** An emergency must be acknowledged by another user, whatever permissions the caller has. */
export const notOwnEmergency = rule(['userId'], (current, { userId }) =>
  isOwn(current, userId) || (userId !== null && current.emergency?.appliedBy.id === userId)
    ? {
        code: 'own-change-request',
        message: "You can't acknowledge a change request that you created, edited or applied.",
      }
    : undefined,
)

/** It was applied in an emergency and is not acknowledged yet. */
export const needsAcknowledgement = rule([], ({ emergency }) => {
  if (emergency === undefined) {
    return wrongState('There is nothing to acknowledge: the change request was not applied in an emergency.')
  }
  return emergency.acknowledgement === null
    ? undefined
    : { code: 'already-acknowledged', message: 'This emergency apply is already acknowledged.' }
})
