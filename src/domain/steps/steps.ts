import { ChangeRequestError } from '../../errors'
import type { StepCode } from '../../generated/index'
import type { ChangeRequest } from '../change-request'
import { codeTable, type Missing, type Stage, stages } from './codes'
import { type CallFacts, type DecisionFact, type Fact, type Facts, stepPermissions, wellFormedCall } from './facts'
import { findingsOf, type Rule } from './rule'
import { revisionNeeds, type Step, type StepDefinition, stepTable } from './table'

export type { Step, StoredStep } from './table'

type RulesOf<S extends Step, At extends Stage = Stage> =
  | (typeof stepTable)[S][Exclude<At, 'revision'>][number]
  | (At extends 'revision' ? (typeof revisionNeeds)[(typeof stepTable)[S]['revision']]['rules'][number] : never)

type NeedsOf<S extends Step, At extends Stage = Stage> =
  RulesOf<S, At> extends { readonly needs: readonly (infer Needed extends Fact)[] } ? Needed : never

export type GatheredFacts<S extends Step> = Pick<
  Facts,
  Exclude<NeedsOf<S> | (typeof stepTable)[S]['decision'][number], keyof CallFacts | DecisionFact>
>

/** The same with the facts that are known only when a step is decided. */
export type FactsOf<S extends Step> = GatheredFacts<S> & Pick<Facts, DecisionFact>

/** What the decision of a step adds for its rules. */
export type CallFactsOf<S extends Step> = Pick<CallFacts, Extract<NeedsOf<S>, keyof CallFacts>>

export type RuleFactsOf<S extends Step> = Pick<Facts, Exclude<NeedsOf<S>, keyof CallFacts>>

export type CallerFacts<S extends Step> = Pick<Facts, NeedsOf<S, 'caller'>>

const knownNeeds = new Map<string, readonly Fact[]>()

export function needsOf(steps: Step | readonly Step[], ...at: readonly (Stage | 'decision')[]): readonly Fact[] {
  const key = `${steps} ${at}`
  let needed = knownNeeds.get(key)
  if (needed === undefined) {
    const ofStep = (step: Step) =>
      at.flatMap((stage) =>
        stage === 'decision' ? stepTable[step].decision : rulesAt(stage, step).flatMap(({ needs }) => needs),
      )
    const all = [steps].flat().flatMap(ofStep)
    needed = [...new Set(all)]
    knownNeeds.set(key, needed)
  }
  return needed
}

export function rulesAt(stage: Stage, step: Step): readonly Rule[] {
  const definition: StepDefinition = stepTable[step]
  return stage === 'revision' ? revisionNeedOf(step).rules : definition[stage]
}

export function revisionNeedOf(step: Step): (typeof revisionNeeds)[StepDefinition['revision']] {
  return revisionNeeds[stepTable[step].revision]
}

/** What an interrupted apply means for the step; undefined: it is settled first. */
export function interruptedApplyOf(step: Step): StepDefinition['interruptedApply'] {
  return (stepTable[step] as StepDefinition).interruptedApply
}

/** Whether the step goes on if the flags cannot be read. */
export function flagsAreOptionalFor(step: Step): boolean {
  return (stepTable[step] as StepDefinition).flagsAreOptional === true
}

type CheckedStep<S extends Step> = [step: S, current: ChangeRequest, facts: RuleFactsOf<S>, call: CallFactsOf<S>]

/** All that is missing for the step at the first stage that fails; empty if the step is allowed. */
export function missingFor<S extends Step>(...checked: CheckedStep<S>): readonly Missing[] {
  const [step, current, facts, call] = checked
  const findings = findingsOn(current, { ...facts, ...call })
  for (const stage of stages) {
    const missing = missingAt(stage, step, findings)
    if (missing.length > 0) return missing
  }
  return []
}

export function allMissingFor<S extends Step>(...checked: CheckedStep<S>): readonly Missing[] {
  const [step, current, facts, call] = checked
  const findings = findingsOn(current, { ...facts, ...call })
  return stages.flatMap((stage) => missingAt(stage, step, findings))
}

/** Findings that people cannot resolve in the current state, independent of the caller. */
const unavailable: readonly StepCode[] = [
  'wrong-state',
  'already-acknowledged',
  'change-requests-disabled',
  'emergencies-disabled',
  'no-scheduler',
  'no-flag-gateway',
]

interface ReviewedStep {
  /** As {@link missingFor} returns it. */
  readonly missing: readonly Missing[]
  /** Whether the step makes sense in the current state, even if something is missing. */
  readonly offered: boolean
}

/** Reviews steps with the same facts. A rule that several of them have is checked once. */
export function stepReviewer<S extends Step>(
  current: ChangeRequest,
  facts: RuleFactsOf<S> & CallFactsOf<S>,
): (step: S) => ReviewedStep {
  const known = new Map<Rule, readonly Missing[]>()
  const check = findingsOn(current, facts)
  const findings: Findings = (rule) => {
    const found = known.get(rule) ?? check(rule)
    known.set(rule, found)
    return found
  }
  return (step) => {
    const found = stages.map((stage) => missingAt(stage, step, findings))
    const isUnavailable = ({ code }: Missing) => unavailable.includes(code)
    return {
      missing: found.find((missing) => missing.length > 0) ?? [],
      offered: !found.some((missing) => missing.some(isUnavailable)),
    }
  }
}

/** The part of {@link missingFor} that depends on the caller alone. */
export function missingForCaller<S extends Step>(
  step: S,
  current: ChangeRequest,
  facts: CallerFacts<S>,
): readonly Missing[] {
  return missingAt('caller', step, findingsOn(current, facts))
}

type Findings = (rule: Rule) => readonly Missing[]

/** The findings of a rule; it reads only facts that the steps which have it need. */
function findingsOn(current: ChangeRequest, facts: object): Findings {
  return (rule) => findingsOf(rule, current, facts as Facts)
}

function missingAt(stage: Stage, step: Step, findings: Findings): readonly Missing[] {
  const missing: Missing[] = []
  for (const rule of rulesAt(stage, step)) missing.push(...findings(rule))
  return missing
}

export function requireStep<S extends Step>(...checked: CheckedStep<S>): void {
  throwMissing(missingFor(...checked))
}

/** The part of {@link requireStep} that depends on the caller alone. It runs before other hooks are called. */
export function requireCaller<S extends Step>(step: S, current: ChangeRequest, facts: CallerFacts<S>): void {
  throwMissing(missingForCaller(step, current, facts))
}

export function requireProposer(
  place: Pick<ChangeRequest, 'project' | 'environment'>,
  facts: CallerFacts<'add'>,
): void {
  throwMissing(stepTable.add.caller.flatMap((one) => findingsOf(one, place, facts)))
}

export function requireRevision(step: Step, current: ChangeRequest, facts: Pick<Facts, 'revision' | 'options'>): void {
  throwMissing(missingAt('revision', step, findingsOn(current, facts)))
}

const callerFacts: readonly Fact[] = ['userId', 'options', 'commentId', 'editsDetails', ...stepPermissions]

/** Whether the facts of the step depend on the changes of the change request. */
export function dependsOnContent(step: Step): boolean {
  return needsOf(step, 'caller', 'input', 'state', 'decision').some(
    (fact) => !callerFacts.includes(fact) && !Object.hasOwn(wellFormedCall, fact),
  )
}

function throwMissing([first, ...others]: readonly Missing[]): void {
  if (first !== undefined) throw stepError(first, ...others)
}

/** The error for missing requirements: the first one decides name and message, the details list all. */
export function stepError(first: Missing, ...others: readonly Missing[]): ChangeRequestError {
  if (first.error !== undefined) return first.error
  const all = [first, ...others]
  const permissions = all.flatMap(({ permission }) => permission ?? [])
  const message = first.code === 'invalid' ? 'The changes are invalid. See details for each problem.' : first.message
  return new ChangeRequestError(codeTable[first.code].error, message, {
    details: all.map(({ code, message, path }) => ({ message, ...(path === undefined ? {} : { path }), code })),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(first.code === 'being-applied' && { retryAfter: 1 }),
  })
}
