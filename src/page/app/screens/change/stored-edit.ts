import { escaped } from '../../../../domain/content/json-pointer'
import type { SubmittedChange } from '../../../../generated'
import { type Json, type JsonObject, listOf, objectOf, textIn } from '../../words/json'
import { baseOf, type EditedField, editedFields, inOrderOf, mergedWith } from '../authoring/model/merge'
import { currentPayload, isUpdate, type Offered } from '../authoring/model/payload'
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
  /** The change that the edit began with, and the content of that edit. */
  readonly stored: StoredChange
  readonly begun: JsonObject
  readonly edit: FlagEdit
}

/** What an edit sets: the state, and the changes without controls. */
export const contentOf = ({ own, others = [] }: FlagEdit): JsonObject => ({ ...own, others: others as Json })

export function withContent(edit: FlagEdit, content: Json): FlagEdit {
  const { others, ...own } = objectOf(content)
  return { ...edit, own, others: listOf(others) as unknown as readonly SubmittedChange[] }
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
  const versions = [kept.begun, contentOf(begin), contentOf(edit)] as const
  return { edit: withContent(edit, mergedWith(...versions)), edited: editedFields(...versions) }
}

const otherPart = '/others/0'

/** Without the controls of a flag or segment: in the form of its schema, or as JSON. */
export const isOther = ({ only }: StoredEdit): boolean => only === otherPart

/** Where no control shows the change, because what it is about is gone or has nothing to edit, it is one of the others. */
export function storedEdit(stored: StoredChange, read: ReadState, offered: Offered | undefined): StoredEdit {
  const current = beginEdit(read)
  const only = offered === undefined ? otherPart : partOf(stored, current)
  if (only === otherPart) return { edit: { ...current, others: [otherChange(stored, current, offered)] }, only }
  const fields = stored.fields.map((field) => ({ ...field, path: `${pathOf(stored)}${field.path}` }))
  const before = beginEdit({ ...read, state: objectOf(baseOf(current.base, fields)) })
  const { enabled, shouldActivateDisabledStrategies: activates } = objectOf(stored.payload)
  const own = withChange(before.own, stored, only)
  const edit = { ...before, own, ...(enabled === true && activates === true && { activates }) }
  return { edit: follow(edit, read).edit, only }
}

/** A form of an update shows all that its target has. */
function otherChange({ action, feature, payload }: StoredChange, { base }: FlagEdit, offered: Offered | undefined) {
  const current = offered && isUpdate(action) && objectOf(currentPayload(offered, base, textIn(payload, 'id')))
  const shown = current ? { ...current, ...objectOf(payload) } : payload
  return {
    ...{ action, ...(feature !== undefined && { feature }) },
    ...(shown !== undefined && { payload: shown }),
  } as SubmittedChange
}

function partOf(stored: StoredChange, edit: FlagEdit): string {
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
      return listOf(edit.own.strategies).some((one) => textIn(one, 'id') === id) ? pathOf(stored) : otherPart
    }
    default:
      return otherPart
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
