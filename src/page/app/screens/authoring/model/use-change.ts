import { useMemo, useRef } from 'preact/hooks'
import { authoringCalls } from '../../../../../client/authoring-calls'
import type { FlagView, OfferedActionsView, SegmentView, SubmittedChange } from '../../../../../generated'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { sender } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { isObject, type Json, objectOf } from '../../../words/json'
import { isOutdatedBase } from './answers'
import { baseOf, type EditedField, editedFields, isEqual, mergedWith, nextBase } from './merge'
import {
  changedOnly,
  currentPayload,
  isSegment,
  isUpdate,
  needsFlag,
  type Offered,
  onlyId,
  payloadSchema,
  targetOf,
} from './payload'
import { type Schema, toSent } from './schema'
import type { StoredChange } from './stored-change'

/** The calls of this part of the page; they are loaded with it. */
export const authoring = authoringCalls(sender)

/** What was chosen and typed. */
export interface ChangeDraft {
  readonly project: string
  readonly environment: string
  readonly feature: string
  readonly action: string
  /** The strategy or segment that was chosen. */
  readonly id?: string | undefined
  /** As the form holds it; undefined until something is typed. */
  readonly payload?: Json
  /** What the form showed when it was typed. */
  readonly base?: Json
  /** The digests of that; while they are not those of the flag, nothing is stored. */
  readonly targets?: FlagView['targets'] | undefined
  readonly isJson?: boolean
}

/** Nothing is typed, for a flag, action or place that was just chosen. */
export const untyped = { id: undefined, payload: undefined, base: undefined, targets: undefined }

export interface ChangeForm {
  readonly draft: ChangeDraft
  readonly write: (change: Partial<ChangeDraft>) => void
  readonly clear: () => void
  readonly actions: Loaded<OfferedActionsView | null>
  readonly offered: Offered | undefined
  readonly flag: Loaded<FlagView | null>
  readonly segment: Loaded<SegmentView | null>
  readonly schema: Schema | undefined
  readonly payload: Json
  readonly edit: (payload: Json) => void
  readonly toggleJson: () => void
  /** What was edited meanwhile; what was not typed follows it. */
  readonly edited: readonly EditedField[]
  /** Takes the current values where both sides edited a field. */
  readonly useCurrent: () => void
  /** The change to send; undefined while something is missing that no request can be made without. */
  readonly change: SubmittedChange | undefined
  /** Sends it; if the flag was edited meanwhile, nothing is stored, and it is read again. */
  readonly send: <T>(call: (change: SubmittedChange) => Promise<T>) => Promise<T | undefined>
}

/** A change that is being written. It is kept in the tab under the name, like other texts. */
export function useChange(name: string, initial: ChangeDraft, stored?: StoredChange): ChangeForm {
  const [text, keep, clear] = useDraft(name)
  const draft: ChangeDraft = useMemo(() => (text === '' ? initial : JSON.parse(text)), [text, initial])
  const { project, environment, feature, action, isJson = false } = draft
  const latest = useRef(draft)
  latest.current = draft
  const write = (change: Partial<ChangeDraft>) => keep(JSON.stringify({ ...latest.current, ...change }))
  const isPlaced = project !== '' && environment !== ''
  const actions = useLoaded<OfferedActionsView | null>(`actions ${project} ${environment}`, async (options) =>
    isPlaced ? authoring.actions(project, environment, options) : nothing,
  )
  const flag = useLoaded<FlagView | null>(`flag ${project} ${environment} ${feature}`, async (options) =>
    isPlaced && feature !== '' ? authoring.flag(project, environment, feature, options) : nothing,
  )
  const offered = actions.data?.actions.find((one) => one.action === action) as Offered | undefined
  const id = draft.id ?? idIn(stored?.payload) ?? onlyId(action, flag.data?.state)
  const ofSegment = offered !== undefined && isSegment(offered)
  const segmentId = ofSegment && /^\d+$/.test(id) ? id : ''
  const segment = useLoaded<SegmentView | null>(`segment ${project} ${environment} ${segmentId}`, async (options) =>
    isPlaced && segmentId !== '' ? authoring.segment(project, environment, Number(segmentId), options) : nothing,
  )
  const target = ofSegment ? segment : flag
  const { state, targets } = target.data ?? {}
  const schema = isJson ? {} : ((offered && payloadSchema(offered)) ?? (stored && {}))
  const current = useMemo(() => offered && currentPayload(offered, state, id), [offered, state, id])
  const [base, begin] = useMemo(() => beginning(current, stored), [current, stored])
  const { payload, edited } = useMemo(() => shownOf(draft, base, begin, current), [draft, base, begin, current])

  const edit = (next: Json) => {
    const nextId = idIn(isJson ? toSent({}, next) : next)
    const isOther = nextId !== undefined && nextId !== id
    // The form then shows another strategy or segment.
    if (isOther && !isJson) return write({ ...untyped, id: nextId })
    if (!isJson && isEqual(next, begin)) return write({ ...untyped, id: draft.id })
    const own = isJson ? toSent({}, draft.payload) : draft.payload
    const before = draft.base === undefined ? begin : nextBase(draft.base, begin, own)
    write({ payload: next, base: isOther ? undefined : before, targets, ...(isOther && { id: nextId }) })
  }
  const isReady =
    action !== '' &&
    target.data !== undefined &&
    target.error?.kind !== 'gone' &&
    (offered === undefined || !needsFlag(offered) || feature !== '')
  const sent = toSent(schema ?? {}, payload)
  const expected = (draft.targets ?? targets)?.[targetOf(action, sent) ?? '']
  const change = isReady
    ? ({
        action,
        ...(feature !== '' && { feature }),
        payload: offered ? changedOnly(offered, current, sent) : sent,
        ...(expected !== undefined && { expected }),
      } as SubmittedChange)
    : undefined
  return {
    draft,
    write,
    clear,
    actions,
    offered,
    flag,
    segment,
    schema,
    payload,
    edit,
    toggleJson: () =>
      write({ isJson: !isJson, ...(draft.payload !== undefined && { payload: toSent(schema ?? {}, payload) }) }),
    edited: isUpdate(action) ? edited.filter(isSentIn) : edited,
    useCurrent: () => {
      const own = mergedWith(draft.base ?? begin, begin, toSent({}, payload), 'now')
      write({ payload: mergedWith(base, current, own, 'now'), base: begin, targets })
    },
    change,
    async send(call) {
      try {
        return change && (await call(change))
      } catch (error) {
        if (isOutdatedBase(error)) {
          const now = await target.refresh()
          write({ targets: now?.targets })
        }
        throw error
      }
    },
  }
}

const nothing = { body: null }

function idIn(payload: Json): string | undefined {
  const { id } = objectOf(payload)
  return id === undefined ? undefined : String(id)
}

/** An update keeps what it does not have. */
function isSentIn({ path, own }: EditedField): boolean {
  return own !== undefined || path.includes('/', 1)
}

/**
 * What a form begins with, and what a stored change was proposed on: it begins with the current values, and on them what it
 * alters.
 */
function beginning(current: Json, stored: StoredChange | undefined): readonly [base: Json, begin: Json] {
  if (stored === undefined) return [current, current]
  const { payload, fields } = stored
  if (!isObject(current) || !isObject(payload)) return [current, payload]
  const base = baseOf(current, fields)
  return [base, mergedWith(base, current, { ...objectOf(base), ...payload })]
}

/** What was typed, on the current values. */
function shownOf(draft: ChangeDraft, base: Json, begin: Json, current: Json): Pick<ChangeForm, 'payload' | 'edited'> {
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
