import { useMemo, useRef, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { ChangeRequestView, ReviewView, SubmittedChange } from '../../../../generated'
import { type Outcome, useAction } from '../../core/api/action'
import { reachOf } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { voidedBy } from '../../reviews/voids'
import { ChangeForm } from './change-form'
import { problemsOf, revisionOf } from './model/answers'
import { isSegment } from './model/payload'
import { findChange } from './model/stored-change'
import { authoring, useChange } from './model/use-change'

export interface EditorProps {
  readonly place: ChangeRequestPlace
  /** The change request as it is now. */
  readonly request: ChangeRequestView
  readonly review: ReviewView
  /** The change to edit; undefined to add one. */
  readonly changeId: number | undefined
  /** The name under which what is typed is kept. */
  readonly draftName: string
  /** Reads the change request again; with the revision that was made here. */
  readonly refresh: (made?: string) => Promise<unknown>
  readonly onClose: () => void
}

/** After these, there is nothing to read again. */
const isUnchanged: ReadonlySet<Outcome['kind']> = new Set(['failed', 'forbidden', 'signedOut'])

/** Adds a change to a change request, or edits one. What was typed is kept until it is sent. */
export function Editor({ place, request, review, changeId, draftName, refresh, onClose }: EditorProps) {
  const { project, environment } = request
  const now = useMemo(() => (changeId === undefined ? undefined : findChange(review, changeId)), [review, changeId])
  const [first] = useState(now)
  const initial = useMemo(
    () => ({ project, environment, feature: first?.feature ?? '', action: first?.action ?? '' }),
    [project, environment, first],
  )
  const form = useChange(draftName, initial, now ?? first)
  const made = useRef<string | undefined>(undefined)
  const { change } = form
  // A retry sends what was sent first: what changed meanwhile was not confirmed.
  const sending = useAction(
    async ({ idempotencyKey, signal }, change: SubmittedChange, ifMatch: string, id?: number) => {
      const write = { ifMatch, idempotencyKey, signal }
      const answer = await form.send(() =>
        id === undefined
          ? authoring.propose({ project, environment }, change, write)
          : authoring.editChange(place, id, change, write),
      )
      made.current = revisionOf(answer?.etag)
    },
  )
  const send = async () => {
    if (change === undefined) return
    const outcome = await sending.start(change, review.revision, now?.id)
    if (outcome?.kind === 'done') {
      form.clear()
      say(now === undefined ? 'The change was added.' : 'The change was edited.')
      onClose()
    }
    if (outcome !== undefined && !isUnchanged.has(outcome.kind)) await refresh(made.current)
  }
  const ofSegment = form.offered ? isSegment(form.offered) : first !== undefined && first.feature === undefined
  const reach = reachOf({ environment, features: [], segments: ofSegment ? [form.draft.action] : [] })
  const isGone = first !== undefined && now === undefined
  const voids = voidedBy(review)
  return (
    <Dialog
      title={first === undefined ? 'Add a change' : 'Edit the change'}
      above={<PlaceMark project={project} name={reach} />}
      subtitle={voids && <p class="small">{voids}</p>}
      wide
      onClose={onClose}
      onSubmit={() => void send()}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button submit kind="primary" off={change === undefined} busy={sending.busy && 'Sending…'}>
            {now === undefined ? 'Add the change' : 'Save the change'}
          </Button>
        </>
      }
    >
      {isGone && (
        <Notice tone="care" icon="warn" title="This change was discarded in the meantime">
          What you typed is kept. Sending it adds it again.
        </Notice>
      )}
      <ChangeForm
        form={form}
        problems={problemsOf(sending.outcome)}
        isBusy={sending.busy}
        isEdit={first !== undefined}
      />
      <OutcomeNotice action={sending} verb="edit it" keptMessage="What you typed is kept." />
    </Dialog>
  )
}
