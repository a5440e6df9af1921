import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { FlagView, OfferedActionsView, ReviewView, SegmentView, SubmittedChange } from '../../../../generated'
import { authoring } from '../../core/api/authoring'
import { type Loaded, useQuery } from '../../core/api/query'
import { useDraft } from '../../core/tools/drafts'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { type Json, objectOf, textIn } from '../../words/json'
import { EditedMeanwhile } from '../authoring/edited-meanwhile'
import { isOutdatedBase } from '../authoring/model/answers'
import { isEqual, mergedWith } from '../authoring/model/merge'
import type { Offered } from '../authoring/model/payload'
import { findChange, type StoredChange } from '../authoring/model/stored-change'
import { type EditorProps, SaveDialog, type SaveDialogProps } from '../authoring/save-dialog'
import { errorsByField } from '../flag/errors'
import { FlagFields, OtherFields } from '../flag/fields'
import { changesOf } from '../flag/model/changes'
import { conflictsOf, type FlagEdit, type ReadState } from '../flag/model/edit'
import { segmentChanges } from '../segment/changes'
import { SegmentFields } from '../segment/fields'
import { contentOf, editNow, isOther, type KeptEdit, type StoredEdit, storedEdit, withContent } from './stored-edit'

interface ChangeEditorProps extends Omit<EditorProps, 'first' | 'now'> {
  readonly review: ReviewView
  readonly changeId: number
}

/** Edits a change of a change request with the controls of its flag or segment, of which only its own part is active. */
export function ChangeEditor({ changeId, ...props }: ChangeEditorProps) {
  const { request, review, draftName, onClose } = props
  const { project, environment } = request
  const [text] = useDraft(draftName)
  const now = useMemo(() => findChange(review, changeId), [review, changeId])
  const [first] = useState(() => now ?? keptChange(text, changeId))
  const feature = first?.feature ?? ''
  const segmentId = first && first.feature === undefined ? Number(objectOf(first.payload).id) : 0
  const target: Loaded<FlagView | SegmentView> = useQuery<FlagView | SegmentView>(
    feature === '' ? ['segment', project, environment, String(segmentId)] : ['flag', project, environment, feature],
    (options) =>
      feature === ''
        ? authoring.segment(project, environment, segmentId, options)
        : authoring.flag(project, environment, feature, options),
  )
  const actions = useQuery<OfferedActionsView>(['actions', project, environment], (options) =>
    authoring.actions(project, environment, options),
  )
  useLayoutEffect(() => {
    if (first === undefined) onClose()
  }, [first])
  if (first === undefined) return null
  if ((target.data === undefined && !target.error) || (actions.data === undefined && !actions.error)) {
    return (
      <Dialog title="Edit the change" wide onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
        <NotLoaded loaded={target.data === undefined ? target : actions} subject="the current values" />
      </Dialog>
    )
  }
  const { data } = target
  return (
    <FieldsEditor
      {...props}
      {...{ first, now, target }}
      read={data ?? unknown}
      offered={actions.data?.actions.find(({ action }) => action === first.action) as Offered | undefined}
      segmentNames={data && 'segmentNames' in data ? data.segmentNames : undefined}
    />
  )
}

const unknown: ReadState = { state: null, targets: {} }

/** The change that was being edited when it was discarded. */
function keptChange(text: string, id: number): StoredChange | undefined {
  if (text === '') return undefined
  const kept: Json = JSON.parse(text)
  const feature = textIn(kept, 'feature') || undefined
  return (kept as Partial<KeptEdit>).stored ?? { id, action: textIn(kept, 'action'), feature, payload: {}, fields: [] }
}

interface FieldsEditorProps extends EditorProps {
  readonly target: Loaded<FlagView | SegmentView>
  /** The current state of the flag or segment. */
  readonly read: ReadState
  readonly offered: Offered | undefined
  readonly segmentNames: Readonly<Record<string, string>> | undefined
}

function FieldsEditor({ target, read, offered, segmentNames, ...props }: FieldsEditorProps) {
  const { request, first, now = first, draftName } = props
  const { project, environment } = request
  const { action, feature = '', payload } = first
  const segmentId = Number(objectOf(payload).id)
  const [text, keep, clear] = useDraft(draftName)
  const begin: StoredEdit = useMemo(() => storedEdit(now, read, offered), [now, read, offered])
  const kept = useMemo<KeptEdit | undefined>(() => {
    const draft: Partial<KeptEdit> = text === '' ? {} : JSON.parse(text)
    return draft.edit && (draft as KeptEdit)
  }, [text])
  const { edit, edited } = useMemo(() => editNow(kept, begin.edit, read, now.id), [kept, begin, read, now.id])
  const conflicts = conflictsOf(edit)
  const all = useMemo(() => (offered ? [offered] : []), [offered])
  const toChange = (one: FlagEdit): SubmittedChange | undefined => {
    const changes = feature === '' ? segmentChanges(one, all, segmentId) : changesOf(one, all, feature)
    return changes.find((change) => change.action === action)
  }
  const write = (next: FlagEdit, stored = kept?.stored ?? now, begun = kept?.begun ?? contentOf(begin.edit)) => {
    const isSame = stored.id === now.id && isEqual(contentOf(next), begun) && next.activates === begin.edit.activates
    const draft: KeptEdit = { project, environment, feature, action, stored, begun, edit: next }
    keep(isSame && conflictsOf(next).length === conflictsOf(begin.edit).length ? '' : JSON.stringify(draft))
  }
  const own = toChange(edit)
  const reason =
    conflicts.length > 0
      ? 'Choose between your values and the current ones first.'
      : own === undefined
        ? 'It would change nothing: discard the change instead.'
        : ''
  // Nothing was stored: the change follows the flag or segment, and is sent once more, unless there is a conflict.
  const send: SaveDialogProps['send'] = async (change, call) => {
    try {
      return await call(change)
    } catch (error) {
      const next = isOutdatedBase(error) ? await target.refresh() : undefined
      if (next === undefined) throw error
      const merged = editNow(kept, storedEdit(now, next, offered).edit, next, now.id).edit
      const again = toChange(merged)
      if (conflictsOf(merged).length > 0 || again === undefined) throw error
      return call(again)
    }
  }
  const fields = { edit, conflicts, offered: all, only: begin.only, onChange: write }
  return (
    <SaveDialog {...props} change={reason === '' ? own : undefined} reason={reason} onSaved={clear} send={send}>
      {(problems) => {
        const errors = errorsByField(problems, own ? [own] : [], edit)
        return (
          <>
            <div role="status">
              <EditedMeanwhile
                edited={edited}
                onUseCurrent={() => {
                  const current = contentOf(begin.edit)
                  write(withContent(edit, mergedWith(kept?.begun, current, contentOf(edit), 'now')), now, current)
                }}
              />
            </div>
            <LoadFailed loaded={target} subject="the current values" />
            {isOther(begin) ? (
              <OtherFields {...fields} errors={errors} place={{ project, environment, feature }} />
            ) : feature === '' ? (
              <SegmentFields {...fields} errors={errors} id={segmentId} place={{ project, environment }} />
            ) : (
              <FlagFields
                {...fields}
                errors={errors}
                place={{ project, environment, feature }}
                segmentNames={segmentNames}
              />
            )}
          </>
        )
      }}
    </SaveDialog>
  )
}
