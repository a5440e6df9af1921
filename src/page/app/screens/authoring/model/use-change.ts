import { useMemo, useRef } from 'preact/hooks'
import type { FlagView, OfferedActionsView, SegmentView, SubmittedChange } from '../../../../../generated'
import { authoring } from '../../../core/api/authoring'
import { type Loaded, useQuery } from '../../../core/api/query'
import { useDraft } from '../../../core/tools/drafts'
import type { Json } from '../../../words/json'
import { isOutdatedBase } from './answers'
import { beginning, type ChangeDraft, editDraft, idIn, shownOf } from './draft'
import { type EditedField, mergedWith } from './merge'
import {
  changedOnly,
  choicesOf,
  currentPayload,
  isUpdate,
  type Offered,
  onlyId,
  payloadSchema,
  targetOf,
} from './payload'
import { fits, type Schema, toSent } from './schema'
import type { StoredChange } from './stored-change'

export { authoring }

export interface ChangeForm {
  readonly draft: ChangeDraft
  readonly clear: () => void
  readonly actions: Loaded<OfferedActionsView>
  readonly offered: Offered | undefined
  readonly flag: Loaded<FlagView>
  readonly segment: Loaded<SegmentView>
  readonly schema: Schema
  readonly payload: Json
  readonly edit: (payload: Json) => void
  readonly toggleJson: () => void
  /** Whether a form can show the payload. */
  readonly isForm: boolean
  /** What was edited meanwhile; what was not typed follows it. */
  readonly edited: readonly EditedField[]
  /** Takes the current values where both sides edited a field. */
  readonly useCurrent: () => void
  /** The change to send; undefined while what it is about is unknown. */
  readonly change: SubmittedChange | undefined
  /** Sends a change; if the flag was edited meanwhile, nothing is stored, and it is read again. */
  readonly send: <T>(call: () => Promise<T>) => Promise<T>
}

/** A change that is being written. It is kept in the tab under the name, like other texts. */
export function useChange(name: string, initial: ChangeDraft, stored: StoredChange): ChangeForm {
  const [text, keep, clear] = useDraft(name)
  const draft: ChangeDraft = useMemo(() => (text === '' ? initial : JSON.parse(text)), [text, initial])
  const { project, environment, feature, action, isJson = false } = draft
  const latest = useRef(draft)
  latest.current = draft
  const write = (change: Partial<ChangeDraft>) => keep(JSON.stringify({ ...latest.current, ...change }))
  const actions = useQuery<OfferedActionsView>(['actions', project, environment], (options) =>
    authoring.actions(project, environment, options),
  )
  const flag = useQuery<FlagView>(
    ['flag', project, environment, feature],
    feature === '' ? undefined : (options) => authoring.flag(project, environment, feature, options),
  )
  const offered = actions.data?.actions.find((one) => one.action === action) as Offered | undefined
  const id = draft.id ?? idIn(stored.payload) ?? onlyId(action, flag.data?.state)
  const ofSegment = feature === ''
  // Read as it is sent: `4.0` is segment 4.
  const number = ofSegment ? toSent({ type: 'integer' }, id) : undefined
  const segmentId = Number.isSafeInteger(number) ? String(number) : ''
  const segment = useQuery<SegmentView>(
    ['segment', project, environment, segmentId],
    segmentId === '' ? undefined : (options) => authoring.segment(project, environment, Number(segmentId), options),
  )
  const target = ofSegment ? segment : flag
  const { state, targets } = target.data ?? {}
  const schema = isJson ? {} : ((offered && payloadSchema(offered)) ?? {})
  const current = useMemo(() => offered && currentPayload(offered, state, id), [offered, state, id])
  const [base, begin] = useMemo(() => beginning(current, stored), [current, stored])
  const { payload, edited } = useMemo(() => shownOf(draft, base, begin, current), [draft, base, begin, current])

  const isKnown = id !== '' && (state == null || ofSegment || choicesOf(action, 'id', state).includes(id))
  const currentOf = (other: string) => (offered && !ofSegment ? currentPayload(offered, state, other) : undefined)
  const edit = (next: Json) => {
    write(editDraft(latest.current, next, { id, storedId: idIn(stored.payload), begin, targets, currentOf, isKnown }))
  }
  const isReady = target.data !== undefined && target.error?.kind !== 'gone'
  const sent = toSent(schema, payload)
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
    clear,
    actions,
    offered,
    flag,
    segment,
    schema,
    payload,
    edit,
    toggleJson: () =>
      write({ isJson: !isJson, ...(draft.payload !== undefined && { payload: toSent(schema, payload) }) }),
    isForm: !isJson || offered === undefined || fits(payloadSchema(offered) ?? {}, toSent({}, payload)),
    edited: isUpdate(action) ? edited.filter(isSentIn) : edited,
    useCurrent: () => {
      const own = mergedWith(draft.base ?? begin, begin, toSent({}, payload), 'now')
      write({ payload: mergedWith(base, current, own, 'now'), base: begin, targets, ...(id !== '' && { id }) })
    },
    change,
    async send(call) {
      try {
        return await call()
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

/** An update keeps what it does not have. */
function isSentIn({ path, own }: EditedField): boolean {
  return own !== undefined || path.includes('/', 1)
}
