import { isOwn } from '../content/authors'
import { isClosed } from '../lifecycle'
import { rule } from './rule'
import { beingApplied, cannotBecome, requireOption, wrongState } from './state-rules'

export const emergenciesEnabled = requireOption('emergency', {
  code: 'emergencies-disabled',
  message: 'Emergency applies are disabled. Get the missing approvals first.',
})

/** In an emergency, a change request can be applied from every state that is not closed. */
export const notClosed = rule([], (current) => (isClosed(current) ? cannotBecome(current, 'Applied') : undefined))

/** An emergency must be acknowledged by another user, whatever permissions the caller has. */
export const notOwnEmergency = rule(['userId'], (current, { userId }) =>
  isOwn(current, userId) || current.emergency?.appliedBy.id === userId
    ? {
        code: 'own-change-request',
        message: "You can't acknowledge a change request that you created, edited or applied.",
      }
    : undefined,
)

export const needsAcknowledgement = rule([], ({ emergency }) => {
  if (emergency === undefined) {
    return wrongState('There is nothing to acknowledge: the change request was not applied in an emergency.')
  }
  return emergency.acknowledgement === null
    ? undefined
    : { code: 'already-acknowledged', message: 'This emergency apply is already acknowledged.' }
})

export const hasAttempt = rule([], ({ state, applying }) =>
  applying == null ? wrongState(`The change request is ${state} and has no interrupted apply.`) : undefined,
)

export const isInterrupted = rule(['interrupted'], ({ applying }, { interrupted }) =>
  applying == null || interrupted
    ? undefined
    : beingApplied(applying, 'This may still succeed. Try again in a moment.'),
)

export const outcomeIsKnown = rule(['options'], ({ applying }, { options }) =>
  applying == null || options.knowsOutcome
    ? undefined
    : {
        code: 'no-flag-gateway',
        message:
          'The flag gateway cannot report whether the changes were applied. An operator of this server must check, and ' +
          'end the apply with the command "express-change-requests settle".',
      },
)
