import { definitionOf } from '../actions'
import type { NewChange } from '../change-request'
import { segmentId } from '../content/grouping'
import type { FlagState } from './flag-state'
import type { TargetPart } from './target-parts'

/**
 * The part of the target of a change that its action can alter, as it is now: one rule for bases, diffs, overwrites and
 * what a schedule was approved on.
 */
export function targetPart(change: NewChange, { features, segments }: FlagState): TargetPart {
  const { targetPart: partOf } = definitionOf(change)
  if (change.feature === null) return partOf(change.payload, segments.get(segmentId(change)))
  const feature = features.get(change.feature)
  return feature === undefined ? null : partOf(change.payload, feature)
}
