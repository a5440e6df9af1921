import { definitionOf } from '../actions'
import type { Change } from '../change-request'
import type { FlagState } from '../flags/flag-state'
import { targetPart } from '../flags/target-part'
import { type ComparedField, compareFields, isSame } from './fields'
import { partAfter } from './state-after'

/**
 * The fields that somebody else altered since the change was proposed, and that it would alter again or delete
 * (extensions 5). What is gone is a conflict, and what is added overwrites nothing.
 */
export function overwrittenBy(change: Change, state: FlagState): readonly ComparedField[] {
  const { base } = change
  if (base === undefined || definitionOf(change).added !== undefined) return []
  const present = targetPart(change, state)
  if (present == null || isSame(base, present)) return []
  const after = partAfter(change, state)
  if (after === undefined) return []
  return compareFields(base ?? {}, present, after ?? {}).filter(isOverwritten)
}

function isOverwritten({ base, current, proposed }: ComparedField): boolean {
  return !isSame(base, current) && !isSame(current, proposed)
}
