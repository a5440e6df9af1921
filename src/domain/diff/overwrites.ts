import { definitionOf, targetPart } from '../actions/table'
import type { Change, ChangeRequest } from '../change-request'
import { fieldPhrase } from '../content/phrases'
import type { FlagState } from '../flag-state'
import { type FieldValue, isSame } from './canonical'
import { type ComparedField, compareFields, differingFields } from './fields'
import { partAfter } from './state-after'

/** The fields that an apply would overwrite, by the id of the change (contract 16); only of changes that overwrite. */
export type Overwrites = ReadonlyMap<number, readonly ComparedField[]>

/** Compares the bases with the current flags. Computed on each read, never stored. */
export function findOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, state: FlagState | undefined): Overwrites {
  if (state === undefined) return new Map()
  const found = changes.map((change) => [change.id, overwrittenBy(change, state)] as const)
  return new Map(found.filter(([, fields]) => fields.length > 0))
}

/**
 * The fields that another user edited since the change was proposed, and that it would edit again or delete
 * (contract 16). A deleted target is a conflict, and an addition overwrites nothing.
 */
export function overwrittenBy(change: Change, state: FlagState): readonly ComparedField[] {
  const { base } = change
  if (base === undefined || definitionOf(change).added !== undefined) return []
  const current = targetPart(change, state)
  if (current == null || isSame(base, current)) return []
  const after = partAfter(change, state)
  if (after === undefined) return []
  return compareFields(base ?? {}, current, after ?? {}).filter(isOverwritten)
}

function isOverwritten({ isEdited, isAltered }: ComparedField): boolean {
  return isEdited && isAltered
}

/** One sentence for each field. */
export function listOverwrites({ changes }: Pick<ChangeRequest, 'changes'>, overwrites: Overwrites): string[] {
  return changes.flatMap((change) => overwriteSentences(change, overwrites.get(change.id) ?? []))
}

/** Field, target and the three values. */
export function overwriteSentences(change: Change, fields: readonly ComparedField[]): string[] {
  return fields.flatMap(differingFields).map(({ path, base, current, proposed }) => {
    const [was, is, becomes] = shown([base, current, proposed])
    return `${fieldPhrase(change, path)} was ${was}, is ${is} now, and would become ${becomes}`
  })
}

const maxShown = 100
const shownBefore = 20

/** As JSON. Long values are truncated around their first difference. */
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

/** The position of the first difference; 0 if there is none. */
function firstDifference([first = '', ...others]: readonly string[]): number {
  if (others.every((other) => other === first)) return 0
  let position = 0
  while (position < first.length && others.every((other) => other[position] === first[position])) position += 1
  return position
}
