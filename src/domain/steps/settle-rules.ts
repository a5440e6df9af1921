import { rule } from './rule'
import { wrongState } from './state-rules'

/** An apply attempt has no stored outcome. */
export const hasAttempt = rule([], ({ state, applying }) =>
  applying == null ? wrongState(`The change request is ${state}, and no apply of it was interrupted.`) : undefined,
)

/** The apply attempt is older than the time that an apply may take. */
export const isInterrupted = rule(['interrupted'], ({ applying }, { interrupted }) =>
  applying == null || interrupted
    ? undefined
    : {
        code: 'being-applied',
        message:
          `The change request is being applied, since ${applying.startedAt} by ` +
          `${applying.by.person.username ?? 'a user'}. That may still succeed. Try again in a moment.`,
      },
)

/** The flag gateway can be asked for the outcome of the attempt. */
export const outcomeIsKnown = rule(['options'], ({ applying }, { options }) =>
  applying == null || options.knowsOutcome
    ? undefined
    : {
        code: 'no-flag-gateway',
        message:
          'The flag gateway cannot report whether the changes were applied. Someone who runs this server has to check, and ' +
          'to end the apply with the command "express-change-requests settle".',
      },
)
