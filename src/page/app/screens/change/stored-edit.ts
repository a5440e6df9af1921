import { escaped } from '../../../../domain/content/json-pointer'
import { type Json, type JsonObject, listOf, objectOf, textIn } from '../../words/json'
import { baseOf, type EditedField, editedFields, inOrderOf, mergedWith } from '../authoring/model/merge'
import type { StoredChange } from '../authoring/model/stored-change'
import { beginEdit, type FlagEdit, follow, newId, type ReadState } from '../flag/model/edit'

/** A stored change as an edit of its flag or segment. */
export interface StoredEdit {
  /** What it sets, on the current state; what was edited there since it was proposed is a conflict. */
  readonly edit: FlagEdit
  /** The JSON pointer of the part that it is about. */
  readonly only: string
}

/** The edit of a stored change as it is kept. */
export interface KeptEdit {
  readonly project: string
  readonly environment: string
  readonly feature: string
  readonly action: string
  /** The change that the edit began with, and what it set. */
  readonly stored: StoredChange
  readonly begun: JsonObject
  readonly edit: FlagEdit
}

/** What was typed on the current state, and what was edited in the change itself meanwhile. */
export function editNow(
  kept: KeptEdit | undefined,
  begin: FlagEdit,
  read: ReadState,
  id: number,
): { readonly edit: FlagEdit; readonly edited: readonly EditedField[] } {
  if (kept === undefined) return { edit: begin, edited: [] }
  const { edit } = follow(kept.edit, read)
  // An edited change has a new id.
  if (kept.stored.id === id) return { edit, edited: [] }
  const own = objectOf(mergedWith(kept.begun, begin.own, edit.own))
  return { edit: { ...edit, own }, edited: editedFields(kept.begun, begin.own, edit.own) }
}

/** Undefined where no control shows the change: what it is about is gone, or has nothing to edit. */
export function storedEdit(stored: StoredChange, read: ReadState): StoredEdit | undefined {
  const current = beginEdit(read)
  const only = partOf(stored, current)
  if (only === undefined) return undefined
  const fields = stored.fields.map((field) => ({ ...field, path: `${pathOf(stored)}${field.path}` }))
  const before = beginEdit({ ...read, state: objectOf(baseOf(current.base, fields)) })
  const { enabled, shouldActivateDisabledStrategies: activates } = objectOf(stored.payload)
  const own = withChange(before.own, stored, only)
  const edit = { ...before, own, ...(enabled === true && activates === true && { activates }) }
  return { edit: follow(edit, read).edit, only }
}

function partOf(stored: StoredChange, edit: FlagEdit): string | undefined {
  switch (stored.action) {
    case 'updateEnabled':
      return '/enabled'
    case 'patchVariant':
      return '/variants'
    case 'reorderStrategy':
      return '/strategies'
    case 'addStrategy':
      return `/strategies/${newId(edit)}`
    case 'addDependency':
      return `/dependencies/${escaped(textIn(stored.payload, 'feature'))}`
    case 'updateSegment':
      return ''
    case 'updateStrategy': {
      const { id } = objectOf(stored.payload)
      return listOf(edit.own.strategies).some((one) => textIn(one, 'id') === id) ? pathOf(stored) : undefined
    }
    default:
      return undefined
  }
}

/** Before the paths of its fields. */
const pathOf = ({ action, payload }: StoredChange): string =>
  action === 'updateStrategy' ? `/strategies/${escaped(textIn(payload, 'id'))}` : ''

function withChange(state: JsonObject, { action, payload }: StoredChange, only: string): JsonObject {
  const { id, shouldActivateDisabledStrategies: _, ...set } = objectOf(payload)
  const strategies = listOf(state.strategies).map(objectOf)
  switch (action) {
    case 'updateStrategy':
      return { ...state, strategies: strategies.map((one) => (one.id === id ? { ...one, ...set } : one)) }
    case 'addStrategy': {
      const { sortOrder, ...added } = set
      return { ...state, strategies: [...strategies, { id: only.slice('/strategies/'.length), ...added }] }
    }
    case 'reorderStrategy':
      return { ...state, strategies: inOrderOf(namesInOrder(payload), strategies) }
    case 'addDependency': {
      const others = listOf(state.dependencies).filter((one) => textIn(one, 'feature') !== set.feature)
      return { ...state, dependencies: [...others, set] }
    }
    default:
      return { ...state, ...set }
  }
}

function namesInOrder(payload: Json): readonly string[] {
  const places = listOf(payload).map(objectOf)
  return places.sort((one, other) => Number(one.sortOrder) - Number(other.sortOrder)).map(({ id }) => String(id))
}
