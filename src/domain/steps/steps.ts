import { ChangeRequestError } from '../../errors'
import type { StepCode } from '../../generated/index'
import type { ChangeRequest } from '../change-request'
import { codeTable, type Missing, stages } from './codes'
import type { StepCall, StepFacts, StepOptions, StepPermission } from './facts'
import { type Step, type StepDefinition, stepTable } from './table'

export type { Step } from './table'

/** The permissions that the rules of these steps ask about, each once. */
export function permissionsFor(options: StepOptions, ...steps: readonly Step[]): readonly StepPermission[] {
  const asked = steps.flatMap((step) => {
    const { permissions }: StepDefinition = stepTable[step]
    return typeof permissions === 'function' ? permissions(options) : permissions
  })
  return [...new Set(asked)]
}

/** All that is missing for the step at the first stage that fails; empty when it may be taken. */
export function missingFor(
  step: Step,
  current: ChangeRequest,
  facts: StepFacts,
  call: StepCall = {},
): readonly Missing[] {
  const missing = allMissingFor(step, current, facts, call)
  for (const stage of stages) {
    const found = missing.filter(({ code }) => codeTable[code].stage === stage)
    if (found.length > 0) return found
  }
  return []
}

/** All that is missing for the step, at every stage. */
export function allMissingFor(
  step: Step,
  current: ChangeRequest,
  facts: StepFacts,
  call: StepCall = {},
): readonly Missing[] {
  return stepTable[step].rules.flatMap((rule) => rule({ current, facts, call }) ?? [])
}

/** @throws ChangeRequestError that lists all that is missing for the step. */
export function requireStep(step: Step, current: ChangeRequest, facts: StepFacts, call: StepCall = {}): void {
  const [first, ...others] = missingFor(step, current, facts, call)
  if (first !== undefined) throw refusalFor(first, ...others)
}

/**
 * The part of {@link requireStep} that depends on the caller alone, before a hook is asked about anything else.
 *
 * @throws PermissionError
 * @throws OperationDeniedError
 */
export function requireCaller(step: Step, current: ChangeRequest, facts: StepFacts): void {
  const [first, ...others] = missingForCaller(step, current, facts)
  if (first !== undefined) throw refusalFor(first, ...others)
}

/** The part of {@link missingFor} that depends on the caller alone. */
export function missingForCaller(step: Step, current: ChangeRequest, facts: StepFacts): readonly Missing[] {
  return missingFor(step, current, facts).filter(({ code }) => codeTable[code].stage === 'caller')
}

const invalidChanges = 'The changes break a rule; see details for what is wrong with them.'

const retryAfter: { readonly [code in StepCode]?: number } = { applying: 1 }

/** The error for what is missing: the first names it, its details list all. */
export function refusalFor(first: Missing, ...others: readonly Missing[]): ChangeRequestError {
  const all = [first, ...others]
  const permissions = all.flatMap(({ permission }) => permission ?? [])
  const seconds = retryAfter[first.code]
  const message = first.code === 'invalid' ? invalidChanges : first.message
  return new ChangeRequestError(codeTable[first.code].error, message, {
    details: all.map(({ code, message, path }) => ({ message, ...(path === undefined ? {} : { path }), code })),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  })
}
