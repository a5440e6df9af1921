import type { RuleCause, RuleCondition, RuleMode } from '../rules/condition'

/**
 * Approvals that certain change requests need in addition to the minimum of their environment. All matching rules must be met.
 *
 * @example
 * ```ts
 * const payments: ApprovalRule = {
 *   name: 'payments owners',
 *   when: { environments: ['production'], features: ['pay*'] },
 *   approvals: 1,
 *   from: { groups: ['payments'] },
 * }
 * const bigSteps: ApprovalRule = {
 *   name: 'big steps',
 *   mode: 'trial',
 *   when: { fields: [{ path: '/parameters/rollout', by: 25 }] },
 *   approvals: { aboveMinimum: 1 },
 * }
 * ```
 */
export interface ApprovalRule {
  /** Shown to users; unique. */
  readonly name: string
  /**
   * `trial`: the rule is evaluated and shown, and blocks nothing. The event of an apply has the rules on trial that matched.
   * @defaultValue `'enforce'`
   */
  readonly mode?: RuleMode
  /** The change requests that the rule is for. Without it the rule is for every change request. */
  readonly when?: RuleCondition
  /**
   * The number that it needs, 1 to 10, or that many more than the minimum of the change request, 1 to 9, together at most 10.
   * Approvals of users who created or edited the change request do not count.
   */
  readonly approvals: number | { readonly aboveMinimum: number }
  /** Whose approvals count: members of groups, and users. Absent: everyone who can approve. */
  readonly from?: {
    /** {@link Actor.groups} of the voter, at the time of the vote. */
    readonly groups?: readonly string[]
    /** Ids of users. */
    readonly users?: readonly number[]
  }
}

/** The rules of a router: a list, or a function that returns those of a project and environment. */
export type ApprovalRules =
  | readonly ApprovalRule[]
  | ((place: {
      readonly project: string
      readonly environment: string
    }) => readonly ApprovalRule[] | Promise<readonly ApprovalRule[]>)

export interface PlacedRule extends ApprovalRule {
  readonly environment: string
  /** What made it match; absent before it is matched with changes. */
  readonly because?: readonly RuleCause[]
}
