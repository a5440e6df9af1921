import { useMemo, useState } from 'preact/hooks'
import { authoringCalls } from '../../../../../client/authoring-calls'
import type { FlagView, OfferedActionsView, SubmittedChange } from '../../../../../generated'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { sender } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { isObject, type Json } from '../../../words/json'
import {
  changedOnly,
  currentStrategy,
  defaultPayload,
  needsFlag,
  type Offered,
  payloadSchema,
  rebased,
} from './payload'
import { type Schema, toSent } from './schema'

/** The calls of this part of the page; they are loaded with it. */
export const authoring = authoringCalls(sender)

/** What was chosen and typed. */
export interface ChangeDraft {
  readonly project: string
  readonly environment: string
  readonly feature: string
  readonly action: string
  /** As the form holds it; undefined until something is typed. */
  readonly payload?: Json
  readonly isJson?: boolean
}

export interface ChangeForm {
  readonly draft: ChangeDraft
  readonly write: (change: Partial<ChangeDraft>) => void
  readonly clear: () => void
  readonly actions: Loaded<OfferedActionsView | null>
  readonly offered: Offered | undefined
  readonly flag: Loaded<FlagView | null>
  readonly schema: Schema | undefined
  readonly payload: Json
  /** Whether the flag changed after it was shown, so that nothing was sent. */
  readonly isFlagChanged: boolean
  /** Reads the flag again before sending. If it changed, what was not typed follows it. */
  readonly checkFlag: () => Promise<boolean>
  /** The change to send; undefined while something is missing that no request can be made without. */
  readonly change: SubmittedChange | undefined
}

/** A change that is being written. It is kept in the tab under the name, like other texts. */
export function useChange(name: string, initial: ChangeDraft, sent?: Json): ChangeForm {
  const [text, keep, clear] = useDraft(name)
  const draft: ChangeDraft = useMemo(() => (text === '' ? initial : JSON.parse(text)), [text, initial])
  const { project, environment, feature, action } = draft
  const write = (change: Partial<ChangeDraft>) => keep(JSON.stringify({ ...draft, ...change }))
  const isPlaced = project !== '' && environment !== ''
  const actions = useLoaded<OfferedActionsView | null>(`actions ${project} ${environment}`, async (options) =>
    isPlaced ? authoring.actions(project, environment, options) : nothing,
  )
  const flag = useLoaded<FlagView | null>(`flag ${project} ${environment} ${feature}`, async (options) =>
    isPlaced && feature !== '' ? authoring.flag(project, environment, feature, options) : nothing,
  )
  const offered = actions.data?.actions.find((one) => one.action === action) as Offered | undefined
  const state = flag.data?.state
  const whole = offered && payloadSchema(offered)
  const schema = draft.isJson ? {} : (whole ?? (sent === undefined ? undefined : {}))
  const begin = useMemo(() => beginning(offered, feature, state, sent), [sent, offered, feature, state])
  const payload = draft.payload ?? begin
  const [isFlagChanged, setFlagChanged] = useState(false)
  const checkFlag = async () => {
    const before = flag.data
    const now = await flag.refresh()
    // Equal data stays the same object.
    const isOther = before != null && now != null && now !== before
    setFlagChanged(isOther)
    if (isOther && offered && draft.payload !== undefined && !draft.isJson)
      write({ payload: rebased(offered, draft.payload, before.state, now.state) })
    return isOther
  }
  const isReady =
    action !== '' && flag.error?.kind !== 'gone' && (offered === undefined || !needsFlag(offered) || feature !== '')
  const isJson = draft.isJson === true
  const typed = isJson ? toSent({}, payload) : payload
  const edited = offered ? changedOnly(offered, state, typed) : typed
  return {
    draft,
    write,
    clear,
    actions,
    offered,
    flag,
    schema,
    payload,
    isFlagChanged,
    checkFlag,
    change: isReady
      ? ({
          action,
          ...(feature !== '' && { feature }),
          payload: isJson ? edited : toSent(schema ?? {}, edited),
        } as SubmittedChange)
      : undefined,
  }
}

const nothing = { body: null }

/** A change that exists begins as it was sent, with the current values of what it leaves as it is. */
function beginning(offered: Offered | undefined, feature: string, state: Json, sent: Json): Json {
  if (sent === undefined) return offered && defaultPayload(offered, feature, state)
  return offered && isObject(sent) ? { ...currentStrategy(offered, state, sent.id), ...sent } : sent
}
