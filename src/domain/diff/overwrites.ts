import { definitionOf, targetPart } from '../actions/table'
import type { Change, ChangeRequest } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'
import { type ComparedField, compareFields, differingFields, type FieldValue, isAltered, isSame } from './fields'
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
  return changes.flatMap((change) => overwriteSentences(change, overwrites.get(change.id) ?? []))
}

/** Flag, field and the three values. */
export function overwriteSentences(change: Change, fields: readonly ComparedField[]): string[] {
  return fields.flatMap(differingFields).map(({ path, base, current, proposed }) => {
    const [was, is, becomes] = shown([base, current, proposed])
    return `${targetName(change)}, change ${change.id}: ${path} was ${was}, is ${is} now, and would become ${becomes}`
  })
}

function targetName(change: Change): string {
  return change.feature ?? `segment ${segmentId(change)}`
}

const maxShown = 100
const shownBefore = 20

/** As JSON. Long values are cut around the place where they begin to differ. */
function shown(values: readonly FieldValue[]): string[] {
  const texts = values.map((value) => (value === undefined ? 'absent' : JSON.stringify(value)))
  const isLong = ({ length }: string) => length > maxShown
  const start = Math.max(0, firstDifference(texts.filter(isLong)) - shownBefore)
  const end = start + maxShown
  return texts.map((text) => {
    if (!isLong(text)) return text
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
  })
}

/** The position at which they are not the same; 0 where there is none. */
function firstDifference([first = '', ...others]: readonly string[]): number {
  if (others.every((other) => other === first)) return 0
  let position = 0
  while (position < first.length && others.every((other) => other[position] === first[position])) position += 1
  return position
}
