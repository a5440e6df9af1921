import type { Action } from '../../generated/index'
import type { TargetPart } from '../actions/action'
import { definitionOf, targetPart, withSubject } from '../actions/table'
import type { Change, ChangeRequest, JsonValue, NewChange } from '../change-request'
import type { DefaultChange, FlagState, StrategyState } from '../flag-state'
import { inApplyOrder, type PlannedChange } from '../flags/apply-order'
import { type Conflicts, findConflicts, noConflicts } from '../flags/conflicts'
import { findDefaultChanges } from '../flags/default-changes'
import { isClosed } from '../lifecycle'
import { type ComparedField, compareFields } from './fields'
import { findOverwrites, type Overwrites } from './overwrites'
import { closingFlags, closingPart } from './snapshots'
import { alter, alterable, partAfter } from './state-after'

/** A field that a change alters. */
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

/** What a change does to its target if it is applied now. */
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
 * compared with the result of the previous one. A closed change request is compared with the snapshots stored in it.
 *
 * @param state What `current` of the {@link FlagGateway} returns; undefined if unknown. Not used for a closed change request.
 *
 * @example
 * ```ts
 * declare const changeRequest: ChangeRequest
 * declare const state: FlagState
 * const overwritten = diffOf(changeRequest, state).flatMap(({ fields }) => fields.filter((field) => field.overwrites))
 * ```
 */
export function diffOf(changeRequest: ChangeRequest, state: FlagState | undefined): ChangeDiff[] {
  const current = isClosed(changeRequest) ? undefined : state
  const conflicts = current === undefined ? noConflicts : findConflicts(changeRequest, current)
  return diffWith(changeRequest, state, { conflicts, overwrites: findOverwrites(changeRequest, current) }).diffs
}

type Implied = ReadonlyMap<string, DefaultChange>

/** {@link diffOf} for a caller that already has these findings; also the flags after all changes. */
export function diffWith(
  changeRequest: ChangeRequest,
  state: FlagState | undefined,
  found: { readonly conflicts: Conflicts; readonly overwrites: Overwrites; readonly defaultChanges?: Implied },
): { readonly diffs: ChangeDiff[]; readonly after: FlagState | undefined } {
  const { conflicts, overwrites, defaultChanges } = found
  const start = startOf(changeRequest, state, defaultChanges)
  const { steps, after } = stepsOf(start)
  const diffs = start.changes.map((change, index) => {
    const ofFlag = change.feature === null ? undefined : conflicts.features.get(change.feature)
    const conflict = conflicts.changes.get(change.id) ?? ofFlag ?? null
    return toDiff(change, steps[index] as Step, overwrites.get(change.id), conflict)
  })
  return { diffs, after }
}

/** What a change does to the part of its target that it can alter. */
export interface Effect extends Pick<ChangeDiff, 'action' | 'feature' | 'before' | 'after'> {
  /** Null for an implied change. */
  readonly id: number | null
  readonly payload: JsonValue
}

/**
 * What a change request does if it is applied now, or, once it is closed, what it did or would have done: its changes by id,
 * then the implied changes. `before` and `after` are those of {@link diffOf}, as is `state`.
 */
export function effectsOf(changeRequest: ChangeRequest, state: FlagState | undefined): Effect[] {
  return stepsOf(startOf(changeRequest, state)).steps.map(({ change, before, after }): Effect => {
    const { id, action, feature, payload } = change
    return { id, action, feature, payload, ...shown(change, { before, after }) }
  })
}

/** The changes, the implied ones, and the flags before them; undefined if these are unknown. */
export interface Start {
  readonly changes: readonly Change[]
  readonly implied: Implied
  readonly flags: FlagState | undefined
}

/** Of a closed change request, its snapshots are the flags. */
export function startOf(changeRequest: ChangeRequest, flags: FlagState | undefined, implied?: Implied): Start {
  if (isClosed(changeRequest)) return closingStart(changeRequest)
  const { changes } = changeRequest
  return { changes, implied: implied ?? findDefaultChanges(changeRequest, flags), flags }
}

/** The snapshots are the bases once a change request is closed (contract 16). */
function closingStart({ changes, defaultChanges = [] }: ChangeRequest): Start {
  const based = changes.map(({ base: _, ...change }, index): Change => {
    const base = closingPart(changes[index] as Change)
    return base === undefined ? change : { ...change, base }
  })
  return {
    changes: based,
    implied: new Map(defaultChanges.map((change) => [change.feature as string, change as DefaultChange])),
    flags: closingFlags([...changes, ...defaultChanges]),
  }
}

interface Parts {
  readonly before: TargetPart
  readonly after: TargetPart
}

/** A change with the part of its target right before and after it. */
export interface AppliedStep extends Parts {
  readonly change: PlannedChange
}

interface Step extends Parts {
  readonly change: Change | PlannedChange
}

/** The targets before and after each change, by id, then those of the implied changes; and the flags after all of them. */
function stepsOf({ changes, implied, flags }: Start): {
  readonly steps: Step[]
  readonly after: FlagState | undefined
} {
  if (flags === undefined) {
    return { steps: changes.map((change) => ({ change, before: undefined, after: undefined })), after: undefined }
  }
  const { applied, after } = applySteps({ changes, implied, flags })
  const byId = new Map(applied.map((step) => [step.change.id, step]))
  const ofChanges = changes.map((change): Step => {
    const { before, after } = byId.get(change.id) ?? notApplied(change, flags)
    return { change, before, after }
  })
  return { steps: [...ofChanges, ...applied.filter(({ change }) => change.id === null)], after }
}

/** The changes in the order in which they are applied, and the flags after all of them. */
export function applySteps({ changes, implied, flags }: Start & { readonly flags: FlagState }): {
  readonly applied: readonly AppliedStep[]
  readonly after: FlagState
} {
  const current = alterable(flags)
  const applied = inApplyOrder(changes, implied).map((change): AppliedStep => {
    const ids = activatedIds(change, current)
    const [before, after] = [targetPart(change, current), partAfter(change, current)]
    alter(current, change)
    return { change, before: withOnly(ids, before), after: withOnly(ids, after) }
  })
  return { applied, after: current }
}

/** For an `updateEnabled` that a later one replaces. */
function notApplied(change: Change, flags: FlagState): Parts {
  const part = withOnly(new Set(), targetPart(change, flags))
  return { before: part, after: part }
}

function activatedIds(change: NewChange, flags: FlagState): ReadonlySet<string> | undefined {
  const { activates } = definitionOf(change)
  return activates && new Set(withSubject(activates, change, flags)?.map(({ id }) => id))
}

/** Of the strategies of a switch, only those that it activates are shown. */
function withOnly(ids: ReadonlySet<string> | undefined, part: TargetPart): TargetPart {
  if (ids === undefined || !Array.isArray(part?.strategies)) return part
  const strategies = part.strategies.filter((one) => ids.has((one as unknown as StrategyState).id))
  return { ...part, strategies }
}

/** Without a base, `before` is not shown. An implied change has none and needs none. */
function shown(change: Step['change'], { before, after }: Parts): Pick<ChangeDiff, 'before' | 'after'> {
  const isShown = change.id === null || (change as Change).base !== undefined
  return { before: isShown ? (before ?? null) : null, after: after ?? null }
}

function toDiff(
  change: Change,
  { before, after }: Parts,
  overwritten: readonly ComparedField[] = [],
  conflict: string | null,
): ChangeDiff {
  const { id, action, feature, base } = change
  const paths = new Set(overwritten.map(({ path }) => path))
  const compared = after === undefined ? [] : compareFields(base ?? {}, before ?? {}, after ?? {})
  const altered = compared.filter(({ path, isAltered }) => paths.has(path) || isAltered)
  // If an earlier change does the same, this one alters nothing, but it still overwrites the edit of another user.
  const hidden = overwritten.filter(({ path }) => !altered.some((field) => field.path === path))
  const fields = [...altered, ...hidden].map(({ path, base = null, current = null, proposed = null }): FieldDiff => {
    return { path, base, current, proposed, overwrites: paths.has(path) }
  })
  const baseKnown = base !== undefined && before !== undefined
  const visible = shown(change, { before, after })
  // Much faster than with a spread.
  return { id, action, feature, before: visible.before, after: visible.after, fields, conflict, baseKnown }
}
