import type { TargetPart } from '../actions/action'
import { copyOf } from '../actions/shared'
import { definitionOf, segmentId, unseenIn, withSubject } from '../actions/table'
import type { NewChange } from '../change-request'
import type { FeatureState, FlagState, SegmentState } from '../flag-state'

type Change = NewChange & { readonly id: number | null }

/** A copy of the flags, altered by one change after the other. Copied once: a change request can have 500 changes. */
export interface AlteredFlags extends FlagState {
  readonly features: Map<string, FeatureState>
  readonly segments: Map<number, SegmentState>
}

export function alterable(state: FlagState): AlteredFlags {
  return { ...state, features: new Map(state.features), segments: new Map(state.segments) }
}

export function alter(state: AlteredFlags, change: Change): void {
  const subjects: Map<string | number, unknown> = change.feature === null ? state.segments : state.features
  const key = change.feature ?? segmentId(change)
  const after = subjectAfter(change, state)
  if (after === undefined) subjects.delete(key)
  else subjects.set(key, after)
}

/** Undefined for a flag or segment that does not exist, or that the change deletes. */
function subjectAfter(change: Change, state: FlagState): unknown {
  const { after } = definitionOf(change)
  return withSubject((payload, subject) => subject && after(payload, subject, change.id), change, state)
}

/**
 * The part of the target after the change, with what the change sets of it that the gateway does not return: null if it is
 * deleted, undefined if it is unknown.
 */
export function partAfter(change: Change, before: FlagState): TargetPart {
  const { added, targetPart } = definitionOf(change)
  const { feature, payload } = change
  const isGone = feature !== null && !before.features.has(feature)
  if (added !== undefined) return isGone ? null : added(payload)
  const part = isGone ? null : targetPart(payload, subjectAfter(change, before))
  const sent = copyOf(unseenIn(change)) as NonNullable<TargetPart>
  return Object.keys(sent).length === 0 ? part : { ...part, ...sent }
}
