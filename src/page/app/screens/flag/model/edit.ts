import { namesIn } from '../../../../../domain/content/json-pointer'
import { inOrder, isIdentical } from '../../../../../domain/diff/canonical'
import { compareFields, inserted } from '../../../../../domain/diff/fields'
import type { FlagView, SubmittedChange } from '../../../../../generated'
import { isObject, type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import {
  type EditedField,
  editedFields,
  inOrderOf,
  isEqual,
  keysOf,
  mergedWith,
  valueAt,
  withValueAt,
} from '../../authoring/model/merge'
import { type Offered, payloadSchema } from '../../authoring/model/payload'

/** The edit of one flag in one environment, or of one segment: plain JSON, so that it can be kept. */
export interface FlagEdit {
  /** The state when it was last read and followed. */
  readonly base: JsonObject
  /** The edited state. The order of its strategies counts, and not their `sortOrder`, which is left out. */
  readonly own: JsonObject
  /** Digests of the base, which are sent as `expected`. */
  readonly targets: FlagView['targets']
  /** Switching the flag on also activates the disabled strategies. */
  readonly activates?: boolean | undefined
  /** Changes that have no control of their own, as they are sent. */
  readonly others?: readonly SubmittedChange[] | undefined
  /** What both sides edited and nobody chose yet: by its path, the value before both. */
  readonly unresolved?: JsonObject | undefined
}

/** The flag or segment as it was read. */
export interface ReadState {
  readonly state: JsonObject | null
  readonly targets: FlagView['targets']
}

const newPrefix = 'new '

/** Whether the strategy was added here; the store assigns its id later. */
export const isNew = (strategy: Json): boolean => textIn(strategy, 'id').startsWith(newPrefix)

/** The id for one more new strategy. */
export function newId({ own }: FlagEdit): string {
  const numbers = listOf(own.strategies)
    .filter(isNew)
    .map((one) => Number(textIn(one, 'id').slice(newPrefix.length)))
  return `${newPrefix}${Math.max(0, ...numbers) + 1}`
}

export function beginEdit({ state, targets }: ReadState): FlagEdit {
  const base = objectOf(state)
  return { base, own: withoutPlaces(base), targets }
}

/** The edit on what was read now: what was not edited here follows, and what both sides edited is a conflict until chosen. */
export function follow(
  edit: FlagEdit,
  { state, targets }: ReadState,
): { readonly edit: FlagEdit; readonly conflicts: readonly EditedField[] } {
  const base = objectOf(state)
  if (isIdentical(base as never, edit.base as never))
    return { edit: { ...edit, targets }, conflicts: conflictsOf(edit) }
  const [before, now] = [withoutPlaces(edit.base), withoutPlaces(base)]
  const own = objectOf(mergedWith(before, now, edit.own))
  const both = editedFields(before, now, edit.own).filter(({ isOwn }) => isOwn)
  const unresolved = { ...Object.fromEntries(both.map(({ path, before }) => [path, before])), ...edit.unresolved }
  const conflicts = conflictsOf({ ...edit, base, own, unresolved })
  const left = Object.fromEntries(conflicts.map(({ path, before = null }) => [path, before]))
  return { edit: { ...edit, base, own, targets, unresolved: left }, conflicts }
}

/** What both sides edited and nobody chose yet. */
export function conflictsOf({ base, own, unresolved = {} }: FlagEdit): readonly EditedField[] {
  const now = withoutPlaces(base)
  return Object.entries(unresolved).flatMap(([path, before]) => {
    const versions = [before, valueAt(now, path), valueAt(own, path)] as const
    const [, current, proposed] = versions
    const placed = versions.map((value) => placedAt(path, value)) as [never, never, never]
    const isOpen = compareFields(...placed).some((one) => one.path === path && one.isEdited && one.isAltered)
    // Of an element that one side removed, the whole is in conflict.
    const isThere = [now, own].every((state) => valueAt(state, path.slice(0, path.lastIndexOf('/'))) !== undefined)
    return isOpen && isThere ? [{ path, before, now: current, own: proposed, isOwn: true }] : []
  })
}

/** Ends a conflict with the own value, or with the current one. */
export function choose(edit: FlagEdit, path: string, side: 'own' | 'now'): FlagEdit {
  const [own, now] = [edit.own, withoutPlaces(edit.base)].map((state) => valueAt(state, path))
  // The path of a list with ids or names stands for its order.
  const isOrder = [own, now, edit.unresolved?.[path]].every((one) => one && keysOf(one).length === listOf(one).length)
  if (!isOrder || !Array.isArray(own)) return side === 'own' ? keep(edit, path, now) : undo(edit, path)
  const { [path]: _, ...unresolved } = edit.unresolved ?? {}
  const ordered = { ...edit, unresolved }
  return side === 'own' ? ordered : withOwn(ordered, path, inOrderOf(inserted(keysOf(now), keysOf(own)), own))
}

/** A strategy that another user deleted is added again, with another id. */
function keep(edit: FlagEdit, path: string, now: Json): FlagEdit {
  const isAdded = now === undefined && /^\/strategies\/[^/]+$/.test(path)
  return resolved(isAdded ? withOwn(edit, `${path}/id`, newId(edit)) : edit, path)
}

/** One field as it was: a JSON pointer, with the elements of lists by their ids or names. Of a list, all of it. */
export function undo(edit: FlagEdit, path: string): FlagEdit {
  return resolved(withOwn(edit, path, valueAt(withoutPlaces(edit.base), path)), path)
}

/** The edit with another value of one field; undefined removes it. */
export function withOwn(edit: FlagEdit, path: string, value: Json): FlagEdit {
  return { ...edit, own: objectOf(withValueAt(edit.own, path, value, withoutPlaces(edit.base))) }
}

function resolved(edit: FlagEdit, path: string): FlagEdit {
  const left = Object.entries(edit.unresolved ?? {}).filter(([one]) => !`${one}/`.startsWith(`${path}/`))
  return { ...edit, unresolved: Object.fromEntries(left) }
}

/** What a field was. */
export const wasAt = ({ base }: FlagEdit, path: string): Json => valueAt(base, path)

/** Whether a field is not as it was. */
export function isEditedAt({ base, own }: FlagEdit, path: string): boolean {
  const [before, after] = [withoutPlaces(base), own].map((state) => placedAt(path, valueAt(state, path)))
  return !isEqual(before, after)
}

/** Whether there is anything to send. */
export function isEdited({ base, own, others = [] }: FlagEdit): boolean {
  return others.length > 0 || !isEqual(withoutPlaces(base), own)
}

/** Whether the action, and the property of its payload, is offered. */
export function canEdit(offered: readonly Offered[], action: string, field?: string): boolean {
  const found = offered.find((one) => one.action === action)
  return found !== undefined && (field === undefined || payloadSchema(found)?.properties?.[field] !== undefined)
}

/** A value at its path, so that it is compared by what it means there. */
function placedAt(path: string, value: Json): Json {
  return namesIn(path).reduceRight((inside: Json, name) => ({ [name]: inside }), value)
}

/** The strategies in their order, which the list then states instead of their sort orders. */
export function withoutPlaces(state: JsonObject): JsonObject {
  if (!Array.isArray(state.strategies)) return state
  const strategies = inOrder(state.strategies, { order: 'sort orders' }).map((one: Json) => {
    if (!isObject(one)) return one
    const { sortOrder: _, ...others } = one
    return others
  })
  return { ...state, strategies }
}
