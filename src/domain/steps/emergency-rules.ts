import { closedStates } from '../lifecycle'
import { isOwn, type Rule } from './caller-rules'
import { cannotBecome, stateMissing } from './state-rules'

export const emergencies: Rule = ({ facts }) =>
  facts.options.emergency
    ? undefined
    : { code: 'emergency', message: 'Nothing is applied before its approval here: emergencies are switched off.' }

/** In an emergency every state but the closed ones leads to Applied. */
export const notClosed: Rule = ({ current }) =>
  closedStates.includes(current.state) ? cannotBecome(current, 'Applied') : undefined

/** A draft may be empty. */
export const somethingToApply: Rule = ({ current: { changes } }) =>
  changes.length === 0
    ? { code: 'empty', message: 'There is nothing to apply: the change request has no changes.' }
    : undefined

/** The second look is that of somebody else, whatever they hold. */
export const otherEyes: Rule = ({ current, facts }) =>
  isOwn(current, facts.caller.id) || (facts.caller.id !== null && current.emergency?.appliedBy.id === facts.caller.id)
    ? {
        code: 'own',
        message: 'You cannot acknowledge what you made, changed or applied: it takes a second pair of eyes.',
      }
    : undefined

/** It was applied in an emergency, and nobody has acknowledged that. */
export const needsSecondLook: Rule = ({ current: { emergency } }) => {
  if (emergency === undefined) {
    return stateMissing('There is nothing to acknowledge: the change request was not applied in an emergency.')
  }
  return emergency.acknowledgement === null
    ? undefined
    : { code: 'acknowledged', message: 'Somebody has acknowledged this application already.' }
}
