import type { NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { definitionOf } from './actions'
import { askOfSubject } from './subject'
import type { TargetPart } from './target-parts'

/**
 * The part of the target of a change that its action can alter, as it is now: one rule for bases, diffs, overwrites and
 * what a schedule was approved on.
 */
export function targetPart(change: NewChange, state: FlagState): TargetPart {
  const isGone = change.feature !== null && !state.features.has(change.feature)
  return isGone ? null : askOfSubject(definitionOf(change).targetPart, change, state)
}
