import type { Action, RuleCauseView } from '../../generated/index'
import { segmentId } from '../actions/table'
import type { Change, ChangeRequest, MachineKind } from '../change-request'
import { changeSubject } from '../content/grouping'
import { matchesName } from '../content/name-pattern'
import { maxPathLength } from '../diff/overwrites'
import type { FlagState } from '../flag-state'
import { alteredFields, type FieldCondition } from './altered-fields'
import { type WholeEffect, wholeEffectOf } from './whole-effect'

/**
 * The change requests that a rule is for: one of their changes matches all given keys. In names, `*` matches any text. The list
 * of a key has alternatives.
 */
export interface RuleCondition {
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
  /** Fields of the flag or segment of the change, at least one of which the whole change request alters. */
  readonly fields?: readonly FieldCondition[]
}

/** `enforce`: it blocks what it applies to. `trial`: it is evaluated and shown, and blocks nothing. */
export type RuleMode = 'enforce' | 'trial'

export function isEnforced({ mode }: { readonly mode?: RuleMode }): boolean {
  return mode !== 'trial'
}

export interface Place {
  readonly project: string
  readonly environment: string
}

/** A change that a rule matches, and the field that it alters. */
export type RuleCause = RuleCauseView

export interface Conditional {
  readonly when?: RuleCondition
}

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

/** The rules whose conditions on changes are met, each with what made it match. Undefined flags are unknown. */
export function matchingRules<Rule extends Conditional>(
  rules: readonly Rule[],
  changeRequest: ChangeRequest,
  current: FlagState | undefined,
): readonly (Rule & { readonly because: readonly RuleCause[] })[] {
  let effect: WholeEffect | undefined
  const causesOf = (changes: readonly Change[], fields: RuleCondition['fields']): readonly RuleCause[] => {
    if (fields === undefined) return changes.map((change) => causeOf(change, change.id, null))
    effect ??= wholeEffectOf(changeRequest, current)
    const all = [...new Map(changes.map((change) => [changeSubject(change), change]))]
    return all.flatMap(([subject, change]) => {
      const parts = effect?.get(subject)
      if (parts === undefined) return causeOf(change, change.id, null)
      return alteredFields(parts, fields).map(({ path, changeId }) => causeOf(change, changeId, path))
    })
  }
  return rules.flatMap((rule) => {
    const { projects: _, environments: __, fields, ...others } = rule.when ?? {}
    const conditions = [fields, ...Object.values(others)]
    if (conditions.every((condition) => condition === undefined)) return { ...rule, because: [] }
    const matching = changeRequest.changes.filter((change) => fits(others, change, current))
    const because = new Map(causesOf(matching, fields).map((cause) => [JSON.stringify(cause), cause]))
    return because.size === 0 ? [] : { ...rule, because: [...because.values()].slice(0, maxCauses) }
  })
}

const maxCauses = 5

function causeOf(change: Change, id: number | null, pointer: string | null): RuleCause {
  const { feature } = change
  const path = pointer?.slice(0, maxPathLength) ?? null
  return feature === null ? { change: id, segment: segmentId(change), path } : { change: id, feature, path }
}

function fits(when: RuleCondition, change: Change, current: FlagState | undefined): boolean {
  const { actions, tags, authors } = when
  if (actions !== undefined && !actions.includes(change.action)) return false
  if (authors !== undefined && !authors.includes(change.createdBy.kind ?? 'person')) return false
  const { feature } = change
  if (!matchesTarget(when, feature === null ? { segment: segmentId(change) } : { feature })) return false
  if (tags === undefined) return true
  const own = (feature !== null && current?.features.get(feature)?.tags) || []
  return own.some((tag) => tags.some(({ type, value }) => tag.type === type && tag.value === value))
}

/** A flag or a segment. Without a condition on them, each matches. */
export function matchesTarget(
  { features, segments }: Pick<RuleCondition, 'features' | 'segments'>,
  target: { readonly feature: string } | { readonly segment: number },
): boolean {
  if (features === undefined && segments === undefined) return true
  if ('feature' in target) return isAmong(features ?? [], target.feature)
  return segments === true || segments?.includes(target.segment) === true
}

function isAmong(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesName(pattern, name))
}
