import type { PlacedRule } from '../../domain/approval/approval-rule'
import type { ChangeRequest } from '../../domain/change-request'
import { possibleChecks } from '../../domain/checks/check'
import { groupBy } from '../../domain/content/grouping'
import { dueAt } from '../../domain/decisions/schedule'
import { diffWith } from '../../domain/diff/diff'
import { findEndsAtEverybody } from '../../domain/diff/everybody'
import { closingFlags } from '../../domain/diff/snapshots'
import { listConflicts } from '../../domain/flags/conflicts'
import { type Freeze, freezesAt } from '../../domain/freezes/freeze'
import { closedStates } from '../../domain/lifecycle'
import { matchingRules } from '../../domain/rules/condition'
import { endOf } from '../../domain/schedule/preset'
import { returnedRevision, wellFormedCall } from '../../domain/steps/facts'
import { type ApprovalFacts, type Requirement, requirementsOf } from '../../domain/steps/requirements'
import {
  flagsAreOptionalFor,
  interruptedApplyOf,
  missingForCaller,
  type Step,
  stepReviewer,
} from '../../domain/steps/steps'
import { countedApprovals } from '../../domain/steps/votes'
import { stepNames } from '../../generated/lists'
import { expiryInView, isInterrupted } from '../../kernel/facts/expiry'
import { FactGatherer } from '../../kernel/facts/gather'
import { hasChecks } from '../../kernel/facts/policy'
import { flagsUnavailable } from '../../kernel/host/flag-state'
import { createPermissionCheck } from '../../kernel/host/permissions'
import { now } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { previewSettled } from '../../kernel/step/settle'
import { type Caller, findVisible, type Reference } from '../../kernel/step/step-input'
import { describeOne } from '../../kernel/view/describe'
import { findCauses } from './causes'
import {
  findCopied,
  findFollowing,
  findOtherSchedules,
  findReverting,
  findSegmentNames,
  findSegmentUse,
  foresee,
} from './related'

/** The missing requirements of a change request, and the steps that the caller can take now (contract 12). */
export type Review = Awaited<ReturnType<typeof review>>

/** What a review knows without the flags. */
const notFromFlags = ['reach', 'policy', 'placeChecks', 'freezes', 'interrupted', 'copiedFlags'] as const

type StepName = (typeof stepNames)[number]

type CommentStep = 'edit' | 'delete' | 'resolve'

/** Listed with the option `objections`. */
const objectionSteps: readonly StepName[] = ['object', 'liftObjection', 'dismissObjection', 'takeBackApproval']

const stepOnComment = { edit: 'editComment', delete: 'deleteComment', resolve: 'resolveComment' } as const

/** Checks the rules of every step, with the same facts as when the step is taken. */
export async function review(services: Services, input: Pick<Caller, 'actor' | 'hasPermission'> & Reference) {
  const { actor, hasPermission = createPermissionCheck(services, actor) } = input
  const names = stepNames.filter((step) => services.options.objections || !objectionSteps.includes(step))
  const stored = await findVisible(services, input, actor)
  const { changeRequest } = stored
  // Before a step, an interrupted apply is settled, if the gateway knows its result.
  const [settled, described] = await Promise.all([
    previewSettled(services, changeRequest),
    describeOne(services, stored, 'review'),
  ])
  const { flags, flagsError, conflicts, defaultChanges } = described
  const unavailable = flagsUnavailable(flagsError)
  if (flagsError !== undefined && unavailable === undefined) throw flagsError
  const question = { services, actor, hasPermission, changeRequest: settled, showsReviewers: true, flagsError }
  const interrupted = isInterrupted(services, changeRequest)
  // The flags are not read for a closed change request, so a copy is compared with its targets when it was closed.
  const copiedFlags = closingFlags(settled.changes)
  // Without the flags, this one still finds which steps make sense in the state; `stepsWithoutFlags` blocks some of them.
  const gatherer = new FactGatherer(
    { ...question, flagsAreOptional: true },
    {
      ...{ flags, defaultChanges, interrupted, copiedFlags },
      conflicts: listConflicts(changeRequest, conflicts),
    },
  )
  const found = { conflicts, defaultChanges, overwrites: await gatherer.get('overwritten') }
  const [gathered, { rules, reviewers }, placeChecks, checks, digest, blocked, ...related] = await Promise.all([
    gatherer.forRules(...names, ...Object.values(stepOnComment)),
    gatherer.get('policy'),
    gatherer.get('placeChecks'),
    gatherer.get('checks'),
    unavailable ? null : gatherer.get('digest'),
    unavailable && stepsWithoutFlags(names, gatherer.about(question, ...notFromFlags)),
    findReverting(services, changeRequest, actor),
    findCopied(services, changeRequest),
    findOtherSchedules(services, changeRequest, described.scheduled),
    findFollowing(services, changeRequest),
    foresee(services, changeRequest, flags),
  ])
  const [revertedBy, copied, otherSchedules, following, foreseen] = related
  const expiry = expiryInView(services, changeRequest)
  const facts = { revision: returnedRevision, expiry, ...wellFormedCall, ...gathered }
  // Applying takes place now, and the body of a schedule has its time.
  const factsNow = { ...facts, at: now(services) }
  const { diffs, after } = diffWith(changeRequest, foreseen ?? flags, found)
  const [causes, segmentNames, segmentUse] = await Promise.all([
    findCauses(services, actor, changeRequest, diffs),
    unavailable ? described.segmentNames : findSegmentNames(services, changeRequest, diffs, described.segmentNames),
    findSegmentUse(changeRequest, flags, hasPermission),
  ])
  // If the interrupted apply succeeded, an apply succeeds too.
  const hadSucceeded = settled !== changeRequest && settled.state === 'Applied'
  const reviewSettled = stepReviewer<StepName>(settled, facts)
  const reviewNow = stepReviewer<StepName>(settled, factsNow)
  const reviewUnsettled = settled === changeRequest ? reviewSettled : stepReviewer<StepName>(changeRequest, facts)
  const toReviewed = (step: StepName) => {
    const interruptedApply = interruptedApplyOf(step)
    const completes = interruptedApply === 'completes'
    const reviewed = completes ? reviewNow : interruptedApply === 'keeps' ? reviewUnsettled : reviewSettled
    const { missing, offered } = reviewed(step)
    const isBlocked = blocked?.includes(step)
    if (!isBlocked && !(completes && hadSucceeded)) return { step, missing, offered }
    const denied = missingForCaller(step, settled, facts)
    return { step, missing: unavailable && isBlocked && denied.length === 0 ? [unavailable] : denied, offered }
  }
  const stepsOn = (commentId: number) => {
    const reviewed = stepReviewer<(typeof stepOnComment)[CommentStep]>(settled, { ...factsNow, commentId })
    return (Object.keys(stepOnComment) as CommentStep[]).filter(
      (one) => reviewed(stepOnComment[one]).missing.length === 0,
    )
  }
  const shownChecks = unavailable ? possibleChecks(placeChecks, changeRequest) : checks
  return {
    described,
    digest,
    diffs,
    endsAtEverybody: findEndsAtEverybody(diffs, foreseen ?? flags, after),
    causes,
    segmentNames,
    segmentUse,
    revertedBy,
    copied,
    requirements: unavailable
      ? requirementsWithoutFlags(changeRequest, facts, rules)
      : requirementsOf(changeRequest, facts, reviewers),
    interrupted,
    // The option may be gone since it was applied.
    checks: hasChecks(services) || checks.length > 0 ? shownChecks : undefined,
    freezes: freezesOn(changeRequest, facts.freezes, now(services)),
    // Null while it is in force, and without one.
    presetEnd: changeRequest.presetSchedule ? endOf(changeRequest.presetSchedule, now(services)) : null,
    otherSchedules,
    following,
    isForeseen: foreseen !== undefined,
    commentSteps: findCommentSteps(settled, actor.id, stepsOn),
    counted: countedApprovals(changeRequest, { ...facts, digest }),
    expiry,
    steps: names.map(toReviewed),
  }
}

/** The steps whose facts cannot be gathered without the flags: their requests are 503. */
async function stepsWithoutFlags(names: readonly StepName[], gatherer: FactGatherer): Promise<readonly Step[]> {
  const reading = names.filter((step) => !flagsAreOptionalFor(step))
  const failed = reading.map(async (step) => {
    try {
      await gatherer.forStep(step)
      return []
    } catch (error) {
      if (flagsUnavailable(error) === undefined) throw error
      return step
    }
  })
  return (await Promise.all(failed)).flat()
}

/** Whether a rule by tags or fields matches, and whether the implied changes are those that were approved, is unknown. */
function requirementsWithoutFlags(
  changeRequest: ChangeRequest,
  facts: Omit<ApprovalFacts, 'digest' | 'rules'>,
  all: readonly PlacedRule[],
): readonly (Omit<Requirement, 'given'> & { readonly given: number | null })[] {
  const withoutTags = all.map(({ when: { tags, ...when } = {}, ...rule }) => ({
    ...rule,
    when,
    isUnknown: tags !== undefined || when.fields !== undefined,
  }))
  const rules = matchingRules(withoutTags, changeRequest, undefined)
  return requirementsOf(changeRequest, { ...facts, digest: null, rules }).map((one, index) =>
    rules[index - 1]?.isUnknown === true ? { ...one, given: null } : one,
  )
}

/** By the rules, checked once for all comments that are alike: nothing else of a comment matters to them. */
function findCommentSteps(
  { comments }: ChangeRequest,
  userId: number | null,
  stepsOn: (commentId: number) => readonly CommentStep[],
): ReadonlyMap<number, readonly CommentStep[]> {
  const existing = comments.filter(({ text }) => text !== null)
  const alike = groupBy(existing, (one) => `${one.createdBy.id === userId} ${one === comments.at(-1)}`)
  const decided = [...alike.values()].flatMap((group) => {
    const steps = stepsOn(group[0]?.id as number)
    return group.map(({ id }) => [id, steps] as const)
  })
  return new Map(decided)
}

function freezesOn(changeRequest: ChangeRequest, freezes: readonly Freeze[], at: string) {
  const scheduledAt = dueAt(changeRequest)
  return {
    now: closedStates.includes(changeRequest.state) ? [] : freezesAt(freezes, at),
    scheduled: scheduledAt === null ? [] : freezesAt(freezes, scheduledAt),
  }
}
