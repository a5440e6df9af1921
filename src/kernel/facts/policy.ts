import { hash } from 'node:crypto'
import type { ApprovalRule, PlacedRule } from '../../domain/approval/approval-rule'
import { problemInRules } from '../../domain/approval/check-rules'
import type { Check } from '../../domain/checks/check'
import { problemInChecks } from '../../domain/checks/problem-in-checks'
import type { PlacedFreeze } from '../../domain/freezes/freeze'
import type { Place } from '../../domain/rules/condition'
import type { User } from '../../ports/users'
import { withSortedKeys } from '../digest'
import { reviewersThroughout } from '../host/find-users'
import { listOfHost } from '../host/host-lists'
import type { HostServices } from '../host-services'
import type { FactContext } from './fact-context'
import type { Reach } from './reach'

export interface Policy {
  /** All rules in these environments, before they are matched with the changes. */
  readonly rules: readonly PlacedRule[]
  /** The users who can approve in all of these environments; undefined if not requested or unknown. */
  readonly reviewers?: readonly User[]
  readonly recheck: boolean
}

/** Gets the rules of the host app, and the users who can approve if a decision or a view needs them. */
export async function policyOf(
  { services, changeRequest, showsReviewers = false }: FactContext,
  { environments }: Reach,
): Promise<Policy> {
  const { users, options } = services
  const recheck = options.recheckApprovers
  const { project } = changeRequest
  const asksPeople = users !== null && (recheck || showsReviewers)
  const [rules, reviewers] = await Promise.all([
    Promise.all(
      environments.map(async (environment) =>
        (await rulesInForce(services, { project, environment })).map((rule): PlacedRule => ({ ...rule, environment })),
      ),
    ),
    asksPeople ? reviewersThroughout(services, project, environments) : undefined,
  ])
  return { rules: rules.flat(), recheck, ...(reviewers && { reviewers }) }
}

export function rulesInForce(services: HostServices, place: Place): Promise<readonly ApprovalRule[]> {
  const { approvalRules, flags } = services
  const problemIn = (rules: unknown) => problemInRules(rules, { hasFlags: flags !== null })
  return listOfHost(services, 'approvalRules', approvalRules, place, problemIn)
}

/** Whether change requests can have checks: without the option, responses do not mention them. */
export function hasChecks({ checks }: Pick<HostServices, 'checks'>): boolean {
  return typeof checks === 'function' || checks.length > 0
}

/** All checks in these environments, before they are matched with the changes. */
export async function checksThroughout(
  services: HostServices,
  project: string,
  { environments }: Pick<Reach, 'environments'>,
): Promise<readonly Check[]> {
  const found = environments.map((environment) => checksInForce(services, { project, environment }))
  return (await Promise.all(found)).flat()
}

export function checksInForce(services: HostServices, place: Place): Promise<readonly Check[]> {
  const { checks, flags } = services
  const problemIn = (list: unknown) => problemInChecks(list, { hasFlags: flags !== null })
  return listOfHost(services, 'checks', checks, place, problemIn)
}

/** 64 hexadecimal digits: equal for equal rules, checks and freezes. */
export function digestOfPolicy(
  { rules }: Pick<Policy, 'rules'>,
  checks: readonly Check[],
  freezes: readonly PlacedFreeze[],
): string {
  const policy = { rules, ...(checks.length > 0 && { checks }), freezes }
  return hash('sha256', JSON.stringify(withSortedKeys(policy)), 'hex')
}

export function approversOf({ recheck, reviewers }: Policy): ReadonlySet<number> | undefined {
  return recheck && reviewers ? new Set(reviewers.map(({ id }) => id)) : undefined
}
