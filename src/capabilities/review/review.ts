import type { ChangeRequest } from '../../domain/change-request'
import { revertedSubject } from '../../domain/content/grouping'
import { type ChangeDiff, diffWith } from '../../domain/diff/diff'
import { findOverwrites, listOverwrites } from '../../domain/diff/overwrites'
import { listConflicts } from '../../domain/flags/conflicts'
import type { Missing } from '../../domain/steps/codes'
import { listForeignSegments } from '../../domain/steps/content-rules'
import type { StepFacts } from '../../domain/steps/facts'
import { type Requirement, requirementsOf } from '../../domain/steps/requirements'
import { missingFor, missingForCaller, type Step } from '../../domain/steps/steps'
import { states, stepNames } from '../../generated/lists'
import { otherOpen } from '../../kernel/facts/other-open'
import { askPolicy, policyFacts } from '../../kernel/facts/policy'
import { gatherRevert } from '../../kernel/facts/revert'
import { gatherFacts } from '../../kernel/facts/step-facts'
import { validateStored } from '../../kernel/facts/validate'
import { digestOf } from '../../kernel/flags/digest'
import type { Services } from '../../kernel/services'
import { foreseeSettled, isInterrupted } from '../../kernel/settle'
import type { Caller } from '../../kernel/steps'
import { type Cause, findCauses } from '../../kernel/view/causes'
import { type Described, describeOne } from '../../kernel/view/describe'
import { findVisible, type Reference } from '../../kernel/visible'
import type { Actor } from '../../ports/access'

/** What a change request is missing, and what the caller may do with it now (extensions 1). */
export interface Review {
  readonly described: Described
  /** Of all that would be carried out now. */
  readonly digest: string
  readonly requirements: readonly Requirement[]
  readonly diffs: readonly ChangeDiff[]
  /** Who stands behind a conflict or an overwrite, by the id of the change. */
  readonly causes: ReadonlyMap<number, Cause>
  /** Number of the change request that reverts it; null where the caller may see none. */
  readonly revertedBy: number | null
  /** True while an apply attempt has had no outcome for too long. */
  readonly interrupted: boolean
  readonly steps: readonly { readonly step: (typeof stepNames)[number]; readonly missing: readonly Missing[] }[]
}

const applying: ReadonlySet<Step> = new Set(['apply', 'applyInEmergency'])

/** Asks the rules of every step, with the same facts with which they decide when the step is taken. */
export async function review(services: Services, input: Pick<Caller, 'actor'> & Reference): Promise<Review> {
  const found = await findVisible(services, input, input.actor)
  const { changeRequest } = found
  // A step first ends an interrupted apply, where the gateway knows its outcome.
  const foreseen = await foreseeSettled(services, changeRequest)
  const [described, asked, policy, invalid, open, reverting, revertedBy] = await Promise.all([
    describeOne(services, found, 'what is read'),
    gatherFacts(services, input.actor, changeRequest, ...stepNames),
    askPolicy(services, changeRequest, 'show'),
    validateStored(services, input.actor, foreseen, 'submit', 'apply'),
    otherOpen(services, foreseen),
    gatherRevert(services, input.actor, foreseen),
    findReverting(services, changeRequest, input.actor),
  ])
  const digest = digestOf(changeRequest, described.defaultChanges)
  const needed = policyFacts(policy, changeRequest, described.present)
  const { present, conflicts } = described
  const overwrites = findOverwrites(changeRequest, present)
  const facts = {
    ...asked,
    ...needed,
    ...open,
    ...reverting,
    invalid,
    digest,
    interrupted: isInterrupted(services, changeRequest),
    foreignSegments: listForeignSegments(changeRequest, present),
    conflicts: listConflicts(conflicts),
    overwrites: listOverwrites(changeRequest, overwrites),
  }
  const diffs = diffWith(changeRequest, present, { conflicts, overwrites })
  return {
    described,
    digest,
    diffs,
    causes: await findCauses(services, input.actor, changeRequest, diffs),
    revertedBy,
    requirements: requirementsOf(changeRequest, facts, policy.reviewers),
    interrupted: facts.interrupted,
    steps: stepNames.map((step) => ({ step, missing: missingAfter(step, changeRequest, foreseen, facts) })),
  }
}

/** What a step is missing, which first ends an interrupted apply. One that had succeeded is what an apply returns. */
function missingAfter(step: Step, changeRequest: ChangeRequest, foreseen: ChangeRequest, facts: StepFacts) {
  if (step === 'settle') return missingFor(step, changeRequest, facts)
  const hadSucceeded = foreseen !== changeRequest && foreseen.state === 'Applied'
  return hadSucceeded && applying.has(step)
    ? missingForCaller(step, foreseen, facts)
    : missingFor(step, foreseen, facts)
}

/** The newest change request that reverts it and was not given up. */
async function findReverting(
  { storage }: Pick<Services, 'storage'>,
  { id, project, state }: ChangeRequest,
  actor: Actor,
): Promise<number | null> {
  if (state !== 'Applied') return null
  const filter = { projects: [project], subject: revertedSubject(id), states: notGivenUp, viewer: actor.id }
  const { items } = await storage.summaries(filter, { limit: 1, bytes: 65_536 })
  return items[0]?.id ?? null
}

const notGivenUp = states.filter((state) => state !== 'Cancelled' && state !== 'Rejected')
