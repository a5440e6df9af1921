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
  /** The value when the change was proposed; null where it had none, or where that is not known. */
  readonly base: JsonValue
  /** The value right before the change; null where it has none. */
  readonly current: JsonValue
  /** The value that the change leaves; null where it leaves none. */
  readonly proposed: JsonValue
  /** Whether somebody else altered it since it was proposed, and the change would alter it again. */
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
  /** Number of the change. */
  readonly id: number
  /** What it does. */
  readonly action: Action
  /** The flag; null for a change of a segment. */
  readonly feature: string | null
  /** The part of the target that the action can alter; null where it does not exist, or `baseKnown` is false. */
  readonly before: { readonly [property: string]: JsonValue } | null
  /** The same after the change, without what the store adds, such as ids; null where it does not exist or is not known. */
  readonly after: { readonly [property: string]: JsonValue } | null
  /** Only the fields that it alters. */
  readonly fields: readonly FieldDiff[]
  /** Why it cannot be applied; null where nothing speaks against it. */
  readonly conflict: string | null
  /** Whether it is known what the target was when the change was proposed. Without it, nothing counts as overwritten. */
  readonly baseKnown: boolean
}

/**
 * What each change of a change request does if all are applied now, in the order in which they are applied: the second
 * sees what the first leaves.
 *
 * @param state What `current` of the {@link FlagGateway} returns; undefined where that is not known.
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

/** {@link diffOf} for a caller who has found what stands in the way. */
export function diffWith(
  changeRequest: ChangeRequest,
  state: FlagState | undefined,
  { conflicts, overwrites }: { readonly conflicts: Conflicts; readonly overwrites: Overwrites },
): ChangeDiff[] {
  if (state === undefined) return changeRequest.changes.map((change) => toDiff(change, undefined, undefined, []))
  const steps = stepsOf(changeRequest, state)
  return changeRequest.changes.map((change) => {
    const { before, after } = steps.get(change.id) ?? notCarriedOut(change, state)
    const ofFlag = change.feature === null ? undefined : conflicts.features.get(change.feature)
    const conflict = conflicts.changes.get(change.id) ?? ofFlag ?? null
    return { ...toDiff(change, before, after, overwrites.get(change.id) ?? []), conflict }
  })
}

interface Step {
  readonly before: TargetPart
  readonly after: TargetPart
}

/** A switch that a later one replaces. */
function notCarriedOut(change: Change, state: FlagState): Step {
  const part = targetPart(change, state)
  return { before: part, after: part }
}

/** The targets before and after each change, by its id. */
function stepsOf(changeRequest: ChangeRequest, state: FlagState): ReadonlyMap<number, Step> {
  const steps = new Map<number, Step>()
  let present = state
  for (const change of inApplyOrder(changeRequest.changes, findDefaultChanges(changeRequest, state))) {
    const next = stateAfter(change, present)
    if (change.id !== null) {
      steps.set(change.id, { before: targetPart(change, present), after: partAfter(change, present, next) })
    }
    present = next
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
  // Where a change before it does the same, nothing is left to alter, and somebody else's change is undone nevertheless.
  const hidden = overwritten.filter(({ path }) => !altered.some((field) => field.path === path))
  const fields = [...altered, ...hidden].map(({ path, ...values }): FieldDiff => {
    const { base = null, current = null, proposed = null } = values
    return { path, base, current, proposed, overwrites: paths.has(path) }
  })
  const baseKnown = base !== undefined && before !== undefined
  const shown = baseKnown ? before : null
  return { id, action, feature, before: shown, after: after ?? null, fields, conflict: null, baseKnown }
}
