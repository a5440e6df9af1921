import type { Action } from '../../generated/index'
import { segmentId } from '../actions/table'
import type { Change, ChangeRequest, MachineKind } from '../change-request'
import { matchesName } from '../content/name-pattern'
import type { FlagState } from '../flag-state'

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
 * ```
 */
export interface ApprovalRule {
  /** Shown to users; unique. */
  readonly name: string
  /**
   * `trial`: the rule is evaluated and shown, and blocks nothing. The log then has what it would have required.
   * @defaultValue `'enforce'`
   */
  readonly mode?: RuleMode
  /**
   * The change requests that the rule is for: one of their changes matches all given keys. In names, `*` matches any
   * text. Without it the rule is for every change request.
   */
  readonly when?: {
    /** Names of projects. */
    readonly projects?: readonly string[]
    /** Names of environments. */
    readonly environments?: readonly string[]
    /** What the change does. */
    readonly actions?: readonly Action[]
    /** Names of flags; an alternative to `segments`. */
    readonly features?: readonly string[]
    /** Ids of segments, or true for all of them; an alternative to `features`. */
    readonly segments?: readonly number[] | true
    /** One of these is a tag of the flag, in the current state that the {@link FlagGateway} returns. */
    readonly tags?: readonly { readonly type: string; readonly value: string }[]
    /** Who added the change, or edited it last: a person, or a kind of machine. */
    readonly authors?: readonly ('person' | MachineKind)[]
  }
  /** The number that it needs, 1 to 10. Approvals of users who created or edited the change request do not count. */
  readonly approvals: number
  /** Whose approvals count: members of groups, and users. Absent: everyone who can approve. */
  readonly from?: {
    /** {@link Actor.groups} of the voter, at the time of the vote. */
    readonly groups?: readonly string[]
    /** Ids of users. */
    readonly users?: readonly number[]
  }
}

/** `enforce`: it blocks what it applies to. `trial`: it is evaluated and shown, and blocks nothing. */
export type RuleMode = 'enforce' | 'trial'

export interface Place {
  readonly project: string
  readonly environment: string
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
}

type Conditional = Pick<ApprovalRule, 'when'>

/** The rules for this project and environment, before they are matched with changes. */
export function rulesIn<Rule extends Conditional>(
  rules: readonly Rule[],
  { project, environment }: Place,
): readonly Rule[] {
  return rules.filter(({ when = {} }) => {
    const { projects, environments } = when
    return isAmong(projects, project) && isAmong(environments, environment)
  })
}

export function matchingRules<Rule extends Conditional>(
  rules: readonly Rule[],
  changeRequest: ChangeRequest,
  current: FlagState | undefined,
): readonly Rule[] {
  return rules.filter(({ when = {} }) => {
    const { projects: _, environments: __, ...ofChange } = when
    if (Object.values(ofChange).every((condition) => condition === undefined)) return true
    return changeRequest.changes.some((change) => fits(when, change, current))
  })
}

function fits(when: NonNullable<ApprovalRule['when']>, change: Change, current: FlagState | undefined): boolean {
  const { actions, features, segments, tags, authors } = when
  if (actions !== undefined && !actions.includes(change.action)) return false
  if (authors !== undefined && !authors.includes(change.createdBy.kind ?? 'person')) return false
  if ((features !== undefined || segments !== undefined) && !isTarget(change, features, segments)) return false
  if (tags === undefined) return true
  const own = (change.feature !== null && current?.features.get(change.feature)?.tags) || []
  return own.some((tag) => tags.some(({ type, value }) => tag.type === type && tag.value === value))
}

function isTarget(change: Change, features: readonly string[] = [], segments: readonly number[] | true = []): boolean {
  if (change.feature !== null) return isAmong(features, change.feature)
  return segments === true || segments.includes(segmentId(change))
}

export function isAmong(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesName(pattern, name))
}
