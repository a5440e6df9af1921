import {
  type ApprovalRule,
  fittingRules,
  type Place,
  type PlacedRule,
  rulesIn,
} from '../../domain/approval/approval-rule'
import { problemInRules } from '../../domain/approval/check-rules'
import type { ChangeRequest } from '../../domain/change-request'
import type { FlagState } from '../../domain/flag-state'
import type { RequirementFacts } from '../../domain/steps/requirements'
import type { User } from '../../ports/users'
import { callHook, wrongAnswer } from '../hooks'
import { reviewersThroughout } from '../people/find-users'
import type { Services } from '../services'
import { reachOf } from './reach'

/** What the host asks of approvals in every environment that changes affect. */
export interface Policy {
  /** Whatever the changes. */
  readonly rules: readonly PlacedRule[]
  /** Everybody who may approve in all of them; undefined where it was not asked, or nobody knows. */
  readonly reviewers?: readonly User[]
  /** Whether only their approvals count. */
  readonly recheck: boolean
}

/** For steps that need no approval. */
export const noPolicy: Policy = { rules: [], recheck: false }

type Asked = Pick<Services, 'approvalRules' | 'flags' | 'options'>

/**
 * Asks the host for its rules, and for the people who may approve where a decision depends on them or a view shows them.
 *
 * @throws UnavailableError when the host cannot say.
 */
export async function askPolicy(
  services: Services,
  changeRequest: ChangeRequest,
  purpose: 'decide' | 'show' = 'decide',
): Promise<Policy> {
  const { users, options } = services
  const recheck = options.recheckApprovers
  const { project } = changeRequest
  const { environments } = await reachOf(services, changeRequest)
  const asksPeople = users !== null && (recheck || purpose === 'show')
  const [rules, reviewers] = await Promise.all([
    Promise.all(environments.map((environment) => placedRules(services, { project, environment }))),
    asksPeople ? reviewersThroughout(services, project, environments) : undefined,
  ])
  return { rules: rules.flat(), recheck, ...(reviewers && { reviewers }) }
}

async function placedRules(services: Asked, place: Place): Promise<readonly PlacedRule[]> {
  const rules = await rulesInForce(services, place)
  return rules.map((rule) => ({ ...rule, environment: place.environment }))
}

/** The rules of the project and environment, whatever the changes. */
export async function rulesInForce(services: Asked, place: Place): Promise<readonly ApprovalRule[]> {
  const { approvalRules, flags } = services
  if (typeof approvalRules !== 'function') return rulesIn(approvalRules, place)
  const answer = await callHook(services, 'approvalRules', () => approvalRules(place))
  const problem = problemInRules(answer, { hasFlags: flags !== null })
  if (problem !== undefined) throw wrongAnswer('approvalRules', `what ${problem}`, 'a list of rules')
  return rulesIn(answer, place)
}

/** What the policy means for a change request on these flags. */
export function policyFacts(
  { rules, reviewers, recheck }: Policy,
  changeRequest: ChangeRequest,
  present: FlagState | undefined,
): Pick<RequirementFacts, 'rules' | 'approvers'> {
  const fitting = fittingRules(rules, changeRequest, present)
  return { rules: fitting, ...(recheck && reviewers && { approvers: new Set(reviewers.map(({ id }) => id)) }) }
}
