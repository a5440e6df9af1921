import type { ChangeRequest } from '../change-request'
import { withAuthor } from '../content/authors'
import {
  type CustomFieldRules,
  type CustomFieldValue,
  emptyFields,
  withCustomValues,
} from '../custom-fields/custom-fields'
import { requireStep } from '../steps/steps'
import { asUnreviewed } from './changes'
import type { Decision, StepCommand } from './decision'

export interface CustomFieldsCommand extends StepCommand<'setCustomFields'> {
  /** All values; each fits. */
  readonly values: Readonly<Record<string, CustomFieldValue>>
  readonly rules: CustomFieldRules
}

/** Replaces all values. Nobody has reviewed the new ones, so approvals are void as after an edit. No event is written. */
export function setCustomFields(current: ChangeRequest, command: CustomFieldsCommand): Decision {
  const { by, now, facts, values, rules } = command
  const { person } = by.author
  const set = withCustomValues(current, values, rules, { by: person, at: now })
  const alreadyEmpty = emptyFields(current, rules)
  const emptiedFields = emptyFields(set, rules).filter((name) => !alreadyEmpty.includes(name))
  requireStep('setCustomFields', current, facts, { emptiedFields })
  if (set === current) return { changeRequest: current, events: [] }
  const voiding = { at: now, cause: 'edit', causedBy: person } as const
  return { changeRequest: asUnreviewed(withAuthor(set, by.author), current.changes, voiding), events: [] }
}
