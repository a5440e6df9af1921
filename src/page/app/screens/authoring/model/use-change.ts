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
  isSegment,
  isUpdate,
  needsFlag,
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
  /** Whether a form can show the payload. */
  readonly isForm: boolean
  /** What was edited meanwhile; what was not typed follows it. */
  readonly edited: readonly EditedField[]
  /** Takes the current values where both sides edited a field. */
  readonly useCurrent: () => void
  /** The change to send; undefined while something is missing that no request can be made without. */
  readonly change: SubmittedChange | undefined
  /** Sends a change; if the flag was edited meanwhile, nothing is stored, and it is read again. */
  readonly send: <T>(call: () => Promise<T>) => Promise<T>
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
  const actions = useQuery<OfferedActionsView | null>(['actions', project, environment], async (options) =>
    isPlaced ? authoring.actions(project, environment, options) : nothing,
  )
  const flag = useQuery<FlagView | null>(['flag', project, environment, feature], async (options) =>
    isPlaced && feature !== '' ? authoring.flag(project, environment, feature, options) : nothing,
  )
  const offered = actions.data?.actions.find((one) => one.action === action) as Offered | undefined
  const id = draft.id ?? idIn(stored?.payload) ?? onlyId(action, flag.data?.state)
  const ofSegment = offered !== undefined && isSegment(offered)
  // Read as it is sent: `4.0` is segment 4.
  const number = ofSegment ? toSent({ type: 'integer' }, id) : undefined
  const segmentId = Number.isSafeInteger(number) ? String(number) : ''
  const segment = useQuery<SegmentView | null>(['segment', project, environment, segmentId], async (options) =>
    isPlaced && segmentId !== '' ? authoring.segment(project, environment, Number(segmentId), options) : nothing,
  )
  const target = ofSegment ? segment : flag
  const { state, targets } = target.data ?? {}
  const schema = isJson ? {} : ((offered && payloadSchema(offered)) ?? (stored && {}))
  const current = useMemo(() => offered && currentPayload(offered, state, id), [offered, state, id])
  const [base, begin] = useMemo(() => beginning(current, stored), [current, stored])
  const { payload, edited } = useMemo(() => shownOf(draft, base, begin, current), [draft, base, begin, current])

  const isKnown = id !== '' && (state == null || ofSegment || choicesOf(action, 'id', state).includes(id))
  const currentOf = (other: string) => (offered && !ofSegment ? currentPayload(offered, state, other) : undefined)
  const edit = (next: Json) => {
    write(editDraft(latest.current, next, { id, storedId: idIn(stored?.payload), begin, targets, currentOf, isKnown }))
  }
  const isReady =
    action !== '' &&
    target.data !== undefined &&
    target.error?.kind !== 'gone' &&
    (offered === undefined ? stored !== undefined : !needsFlag(offered) || feature !== '')
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

const nothing = { body: null }

/** An update keeps what it does not have. */
function isSentIn({ path, own }: EditedField): boolean {
  return own !== undefined || path.includes('/', 1)
}
