import type { FlagView } from '../../../../../generated'
import { isObject, type Json, objectOf } from '../../../words/json'
import { baseOf, type EditedField, editedFields, isEqual, mergedWith, nextBase } from './merge'
import { toSent } from './schema'
import type { StoredChange } from './stored-change'

interface Typed {
  /** As the form holds it; undefined until something is typed. */
  readonly payload?: Json
  /** What the form showed when it was typed. */
  readonly base?: Json
  /** The digests of that; while they are not those of the flag, nothing is stored. */
  readonly targets?: FlagView['targets'] | undefined
}

/** What was chosen and typed. */
export interface ChangeDraft extends Typed {
  readonly project: string
  readonly environment: string
  readonly feature: string
  readonly action: string
  /** The strategy or segment that was chosen, or that something was typed for. */
  readonly id?: string | undefined
  /** What was typed for other strategies or segments, by their ids. */
  readonly others?: Readonly<Record<string, Typed>> | undefined
  readonly isJson?: boolean
}

const nothing = { payload: undefined, base: undefined, targets: undefined }

/** What the form shows while something is typed. */
export interface Shown {
  readonly id: string
  /** The id of the stored change that is edited. */
  readonly storedId: string | undefined
  readonly begin: Json
  readonly targets: FlagView['targets'] | undefined
  /** The current payload for another strategy; undefined where it must be loaded. */
  readonly currentOf: (id: string) => Json
  /** Whether there is a strategy or segment with the id. */
  readonly isKnown: boolean
}

/** What the draft becomes when a payload is typed. */
export function editDraft(draft: ChangeDraft, next: Json, shown: Shown): Partial<ChangeDraft> {
  const { id, storedId, begin, targets, currentOf } = shown
  const nextId = idIn(draft.isJson ? toSent({}, next) : next) ?? id
  // Before the flag is read, no strategy is not a choice.
  const chosen = nextId === id && id === '' ? {} : { id: nextId === storedId ? undefined : nextId }
  if (draft.isJson) {
    const base = nextId === id ? baseNow(draft, begin, toSent({}, draft.payload)) : currentOf(nextId)
    return { ...chosen, payload: next, base, targets }
  }
  if (nextId !== id) return { ...chosen, ...switched(draft, nextId, next, shown) }
  if (isEqual(next, begin)) return { ...chosen, ...nothing }
  // Without the id, the change would be about another strategy once the flag has others.
  return { ...(id !== '' && { id }), payload: next, base: baseNow(draft, begin, draft.payload), targets }
}

function baseNow(draft: ChangeDraft, begin: Json, own: Json): Json {
  return draft.base === undefined ? begin : nextBase(draft.base, begin, own)
}

/** The form then shows another strategy or segment. What was typed for this one is kept; for an unknown one it goes along. */
function switched(draft: ChangeDraft, nextId: string, next: Json, shown: Shown): Partial<ChangeDraft> {
  const { payload, base, targets, others = {} } = draft
  const own = { payload, base, targets }
  if (payload === undefined) return { ...nothing, ...others[nextId] }
  if (shown.isKnown) return { ...nothing, ...others[nextId], others: { ...others, [shown.id]: own } }
  const current = shown.currentOf(nextId) ?? base
  return { payload: mergedWith(base, current, next), base: current, targets: shown.targets }
}

export function idIn(payload: Json): string | undefined {
  const { id } = objectOf(payload)
  return id === undefined ? undefined : String(id)
}

/**
 * What a form begins with, and what a stored change was proposed on: it begins with the current values, and on them what it
 * alters. A stored change of another strategy or segment alters nothing.
 */
export function beginning(current: Json, stored: StoredChange | undefined): readonly [base: Json, begin: Json] {
  if (stored === undefined) return [current, current]
  const { payload, fields } = stored
  if (!isObject(current) || !isObject(payload)) return [current, payload]
  const id = idIn(current)
  if (id !== undefined && id !== idIn(payload)) return [current, current]
  const base = baseOf(current, fields)
  return [base, mergedWith(base, current, { ...objectOf(base), ...payload })]
}

/** What was typed, on the current values, and what was edited meanwhile. */
export function shownOf(
  draft: ChangeDraft,
  base: Json,
  begin: Json,
  current: Json,
): { readonly payload: Json; readonly edited: readonly EditedField[] } {
  const { payload = begin } = draft
  const own = draft.isJson ? toSent({}, payload) : payload
  // JSON that cannot be read is shown as it is.
  if (typeof own === 'string') return { payload, edited: [] }
  const before = draft.payload === undefined ? begin : (draft.base ?? begin)
  const merged = mergedWith(before, begin, own)
  const edited = editedFields(before, begin, own)
  const known = new Set(edited.map(({ path }) => path))
  const sinceProposed = editedFields(base, current, merged).filter(({ path, isOwn }) => isOwn && !known.has(path))
  return { payload: isEqual(merged, own) ? payload : merged, edited: [...edited, ...sinceProposed] }
}
