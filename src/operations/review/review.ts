import { listConflicts } from '../../domain/flags/conflicts'
import { missingFor, reviewSteps } from '../../domain/steps'
import type { Missing } from '../../domain/steps/codes'
import { type Requirement, requirementsOf } from '../../domain/steps/requirements'
import { foreseeSettled } from '../apply/settle'
import { type Described, describeOne } from '../change-requests/describe'
import { type Caller, findVisible, type Reference } from '../change-requests/existing'
import { digestOf } from '../flags/digest'
import type { Services } from '../runtime/services'
import { gatherFacts } from './step-facts'
import { validateStored } from './validate'

/** What a change request is missing, and what the caller may do with it now (extensions 1). */
export interface Review {
  readonly described: Described
  /** Of all that would be carried out now. */
  readonly digest: string
  readonly requirements: readonly Requirement[]
  readonly steps: readonly { readonly step: (typeof reviewSteps)[number]; readonly missing: readonly Missing[] }[]
}

/** Asks the rules of every step, with the same facts with which they decide when the step is taken. */
export async function review(services: Services, input: Pick<Caller, 'actor'> & Reference): Promise<Review> {
  const found = await findVisible(services, input, input.actor)
  const { changeRequest } = found
  const [described, asked, invalid] = await Promise.all([
    describeOne(services, found, 'what is read'),
    gatherFacts(services, input.actor, changeRequest, ...reviewSteps),
    validateStored(services, input.actor, changeRequest, 'submit', 'apply'),
  ])
  const digest = digestOf(changeRequest, described.defaultChanges)
  // An application first ends one that broke off, if the gateway knows its outcome.
  const forApply = await foreseeSettled(services, changeRequest)
  const facts = { ...asked, invalid, digest, conflicts: listConflicts(described.conflicts) }
  return {
    described,
    digest,
    requirements: requirementsOf(changeRequest, digest),
    steps: reviewSteps.map((step) => {
      return { step, missing: missingFor(step, step === 'apply' ? forApply : changeRequest, facts) }
    }),
  }
}
