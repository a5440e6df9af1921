import { type ApprovalRule, fittingRules, type Place, rulesIn } from '../../domain/approval/approval-rule'
import { problemInRules } from '../../domain/approval/check-rules'
import type { ChangeRequest } from '../../domain/change-request'
import type { FlagState } from '../../domain/flags/flag-state'
import type { RequirementFacts } from '../../domain/steps/requirements'
import type { User } from '../../ports/users'
import { availableReviewers } from '../people/find-users'
import { callHook, wrongAnswer } from '../runtime/call-hook'
import type { Services } from '../runtime/services'

/** What the host asks of approvals in a project and environment. */
export interface Policy {
  /** Whatever the changes. */
  readonly rules: readonly ApprovalRule[]
  /** Everybody who may approve there; undefined where it was not asked, or nobody knows. */
  readonly reviewers?: readonly User[]
  /** Whether only their approvals count. */
  readonly recheck: boolean
}

/** For steps that need no approval. */
export const noPolicy: Policy = { rules: [], recheck: false }

type Asked = Pick<Services, 'approvalRules' | 'users' | 'flags' | 'settings'>

/**
 * Asks the host for its rules, and for the people who may approve where a decision depends on them or a view shows them.
 *
 * @throws UnavailableError when the host cannot say.
 */
export async function askPolicy(
  services: Asked,
  { project, environment }: Place,
  purpose: 'decide' | 'show' = 'decide',
): Promise<Policy> {
  const { users, settings } = services
  const recheck = settings.recheckApprovers
  const [rules, reviewers] = await Promise.all([
    rulesInForce(services, { project, environment }),
    users !== null && (recheck || purpose === 'show') ? availableReviewers(services, project, environment) : undefined,
  ])
  return { rules, recheck, ...(reviewers && { reviewers }) }
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
