import { definitionOf } from '../actions'
import type { Change, ChangeRequest } from '../change-request'
import { segmentId } from '../content/grouping'
import type { FlagState } from '../flags/flag-state'
import { targetPart } from '../flags/target-part'
import { type ComparedField, compareFields, type FieldValue, isAltered, isSame } from './fields'
import { partAfter } from './state-after'

/** What an application would overwrite, by the id of the change (extensions 5); only of changes that overwrite. */
export type Overwrites = ReadonlyMap<number, readonly ComparedField[]>

/** Compares the bases with the present flags. Computed on each read, never stored. */
export function findOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, state: FlagState | undefined): Overwrites {
  if (state === undefined) return new Map()
  const found = changes.map((change) => [change.id, overwrittenBy(change, state)] as const)
  return new Map(found.filter(([, fields]) => fields.length > 0))
}

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
  return isAltered(base, current) && isAltered(current, proposed)
}

/** One sentence for each field. */
export function listOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, overwrites: Overwrites): string[] {
  return changes.flatMap((change) => (overwrites.get(change.id) ?? []).map((field) => overwriteSentence(change, field)))
}

/** Flag, field and the three values. */
export function overwriteSentence(change: Change, { path, base, current, proposed }: ComparedField): string {
  const values = `was ${shown(base)}, is ${shown(current)} now, and would become ${shown(proposed)}`
  return `${targetName(change)}, change ${change.id}: ${path} ${values}`
}

function targetName(change: Change): string {
  return change.feature ?? `segment ${segmentId(change)}`
}

function shown(value: FieldValue): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
