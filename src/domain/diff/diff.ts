import type { Action } from '../../generated/index'
import type { TargetPart } from '../actions/action'
import { targetPart } from '../actions/table'
import type { Change, ChangeRequest, JsonValue } from '../change-request'
import type { FlagState } from '../flag-state'
import { inApplyOrder } from '../flags/apply-order'
import { type Conflicts, findConflicts, noConflicts } from '../flags/conflicts'
import { findDefaultChanges } from '../flags/default-changes'
import { type ComparedField, compareFields, isAltered } from './fields'
import { findOverwrites, type Overwrites } from './overwrites'
import { partAfter, stateAfter } from './state-after'

/**
 * A field that a change alters.
 *
 * @example
 * ```ts
 * const field: FieldDiff = { path: '/parameters/rollout', base: '50', current: '70', proposed: '20', overwrites: true }
 * ```
 */
export interface FieldDiff {
  /** JSON pointer into the target; an element of a list is named by its id or name, where it has one. */
  readonly path: string
  /** The value when the change was proposed; null if there was none, or if unknown. */
  readonly base: JsonValue
  /** The value right before the change; null if there is none. */
  readonly current: JsonValue
  /** The value after the change; null if there is none. */
  readonly proposed: JsonValue
  /** Whether another user edited it since the change was proposed, and the change would edit it again. */
  readonly overwrites: boolean
}

/**
 * What a change does to its target if it is applied now.
 *
 * @example
 * ```ts
 * const switchOn: ChangeDiff = {
 *   id: 7,
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   before: { enabled: false },
 *   after: { enabled: true },
 *   fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
 *   conflict: null,
 *   baseKnown: true,
 * }
 * ```
 */
export interface ChangeDiff {
  /** The id of the change. */
  readonly id: number
  /** What it does. */
  readonly action: Action
  /** The flag; null for a change of a segment. */
  readonly feature: string | null
  /** The part of the target that the action can alter; null if it does not exist, or if `baseKnown` is false. */
  readonly before: { readonly [property: string]: JsonValue } | null
  /** The same after the change, without what the store adds, such as ids; null if it does not exist or is unknown. */
  readonly after: { readonly [property: string]: JsonValue } | null
  /** Only the fields that it alters. */
  readonly fields: readonly FieldDiff[]
  /** Why it cannot be applied; null if it can. */
  readonly conflict: string | null
  /** Whether the target at the time of the proposal is known. If not, nothing counts as overwritten. */
  readonly baseKnown: boolean
}

/**
 * What each change of a change request does if all are applied now, in the order in which they are applied: each change is
 * compared with the result of the previous one.
 *
 * @param state What `current` of the {@link FlagGateway} returns; undefined if unknown.
 *
 * @example
 * ```ts
 * declare const changeRequest: ChangeRequest
 * declare const state: FlagState
 * const overwritten = diffOf(changeRequest, state).flatMap(({ fields }) => fields.filter((field) => field.overwrites))
 * ```
 */
export function diffOf(changeRequest: ChangeRequest, state: FlagState | undefined): ChangeDiff[] {
  const conflicts = state === undefined ? noConflicts : findConflicts(changeRequest, state)
  return diffWith(changeRequest, state, { conflicts, overwrites: findOverwrites(changeRequest, state) })
}

/** {@link diffOf} for a caller that already has the conflicts and overwrites. */
export function diffWith(
  changeRequest: ChangeRequest,
  state: FlagState | undefined,
  { conflicts, overwrites }: { readonly conflicts: Conflicts; readonly overwrites: Overwrites },
): ChangeDiff[] {
  if (state === undefined) return changeRequest.changes.map((change) => toDiff(change, undefined, undefined, []))
  const steps = stepsOf(changeRequest, state)
  return changeRequest.changes.map((change) => {
    const { before, after } = steps.get(change.id) ?? notApplied(change, state)
    const ofFlag = change.feature === null ? undefined : conflicts.features.get(change.feature)
    const conflict = conflicts.changes.get(change.id) ?? ofFlag ?? null
    return { ...toDiff(change, before, after, overwrites.get(change.id) ?? []), conflict }
  })
}

interface Step {
  readonly before: TargetPart
  readonly after: TargetPart
}

/** For an `updateEnabled` that a later one replaces. */
function notApplied(change: Change, state: FlagState): Step {
  const part = targetPart(change, state)
  return { before: part, after: part }
}

/** The targets before and after each change, by its id. */
function stepsOf(changeRequest: ChangeRequest, state: FlagState): ReadonlyMap<number, Step> {
  const steps = new Map<number, Step>()
  let current = state
  for (const change of inApplyOrder(changeRequest.changes, findDefaultChanges(changeRequest, state))) {
    const next = stateAfter(change, current)
    if (change.id !== null) {
      steps.set(change.id, { before: targetPart(change, current), after: partAfter(change, current, next) })
    }
    current = next
  }
  return steps
}

function toDiff(
  { id, action, feature, base }: Change,
  before: TargetPart,
  after: TargetPart,
  overwritten: readonly ComparedField[],
): ChangeDiff {
  const paths = new Set(overwritten.map(({ path }) => path))
  const compared =
    before === undefined || after === undefined ? [] : compareFields(base ?? {}, before ?? {}, after ?? {})
  const altered = compared.filter(({ path, current, proposed }) => paths.has(path) || isAltered(current, proposed))
  // If an earlier change does the same, this one alters nothing, but it still overwrites the edit of another user.
  const hidden = overwritten.filter(({ path }) => !altered.some((field) => field.path === path))
  const fields = [...altered, ...hidden].map(({ path, ...values }): FieldDiff => {
    const { base = null, current = null, proposed = null } = values
    return { path, base, current, proposed, overwrites: paths.has(path) }
  })
  const baseKnown = base !== undefined && before !== undefined
  const shown = baseKnown ? before : null
  return { id, action, feature, before: shown, after: after ?? null, fields, conflict: null, baseKnown }
}
