import { rule } from './rule'
import { wrongState } from './state-rules'

/** The result of an apply attempt is not stored yet. */
export const hasAttempt = rule([], ({ state, applying }) =>
  applying == null ? wrongState(`The change request is ${state} and has no interrupted apply.`) : undefined,
)

/** The apply attempt has exceeded the maximum time. */
export const isInterrupted = rule(['interrupted'], ({ applying }, { interrupted }) =>
  applying == null || interrupted
    ? undefined
    : {
        code: 'being-applied',
        message:
          `The change request is being applied (started at ${applying.startedAt} by ` +
          `${applying.by.person.username ?? 'a user'}). This may still succeed. Try again in a moment.`,
      },
)

/** The flag gateway can report the result of the attempt. */
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
