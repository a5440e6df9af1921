import type { Rule } from './caller-rules'
import { stateMissing } from './state-rules'

/** An apply attempt has no stored outcome. */
export const hasAttempt: Rule = ({ current: { state, applying } }) =>
  applying == null ? stateMissing(`The change request is ${state}, and no apply of it was interrupted.`) : undefined

/** The apply attempt is older than the time that an apply may take. */
export const isInterrupted: Rule = ({ current: { applying }, facts }) =>
  applying == null || facts.interrupted === true
    ? undefined
    : {
        code: 'applying',
        message:
          `The change request is being applied, since ${applying.startedAt} by ` +
          `${applying.by.person.username ?? 'a user'}. That may still succeed. Try again in a moment.`,
      }

/** The flag gateway can be asked what became of the attempt. */
export const outcomeIsKnown: Rule = ({ current: { applying }, facts }) =>
  applying == null || facts.options.knowsOutcome
    ? undefined
    : {
        code: 'gateway',
        message:
          'The flag gateway cannot report whether the changes were applied. Someone who runs this server has to check, and ' +
          'to end the apply with the command "express-change-requests settle".',
      }
