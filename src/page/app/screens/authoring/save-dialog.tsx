import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { ChangeRequestView, ReviewView, SubmittedChange } from '../../../../generated'
import { type Outcome, useAction } from '../../core/api/action'
import { type Missing, problemsOf } from '../../core/api/answers'
import { authoring } from '../../core/api/authoring'
import { reachOf } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { say } from '../../parts/messages/status-line'
import { voidedBy } from '../../reviews/voids'
import { revisionOf } from './model/answers'
import type { StoredChange } from './model/stored-change'

export interface EditorProps {
  readonly place: ChangeRequestPlace
  /** The change request as it is now. */
  readonly request: ChangeRequestView
  readonly review: ReviewView
  /** Reads the change request again; with the revision that was made here. */
  readonly refresh: (made?: string) => Promise<unknown>
  /** The name under which what is typed is kept. */
  readonly draftName: string
  /** The change when the dialog was opened. */
  readonly first: StoredChange
  /** What it is now; undefined once it is discarded. */
  readonly now: StoredChange | undefined
  readonly onClose: () => void
}

export interface SaveDialogProps extends EditorProps {
  /** Undefined while there is nothing to save. */
  readonly change: SubmittedChange | undefined
  /** Why it cannot be saved, where the fields do not show it. */
  readonly reason?: string
  /** Sends the change; on a newer state of its flag or segment perhaps another one. */
  readonly send: <T>(change: SubmittedChange, call: (change: SubmittedChange) => Promise<T>) => Promise<T>
  /** Forgets what was typed. */
  readonly onSaved: () => void
  /** The fields, with the problems that the server found. */
  readonly children: (problems: readonly Missing[]) => ComponentChildren
}

/** After these, there is nothing to read again. */
const isUnchanged: ReadonlySet<Outcome['kind']> = new Set(['failed', 'forbidden', 'signedOut'])

/** Saves a change of a change request; one that was discarded in the meantime is added again. */
export function SaveDialog({ place, request, review, refresh, first, now, onClose, ...props }: SaveDialogProps) {
  const { change, reason, send, onSaved, children } = props
  const { project, environment } = request
  const made = useRef<string | undefined>(undefined)
  const id = useId()
  // A retry sends what was sent first: what changed meanwhile was not confirmed.
  const sending = useAction(
    async ({ idempotencyKey, signal }, change: SubmittedChange, ifMatch: string, changeId?: number) => {
      const write = { ifMatch, idempotencyKey, signal }
      const answer = await send(change, (one) =>
        changeId === undefined
          ? authoring.propose({ project, environment }, one, write)
          : authoring.editChange(place, changeId, one, write),
      )
      made.current = revisionOf(answer.etag)
    },
  )
  const save = async () => {
    if (change === undefined) return
    const outcome = await sending.start(change, review.revision, now?.id)
    if (outcome?.kind === 'done') {
      onSaved()
      say(now === undefined ? 'The change was added.' : 'The change was edited.')
      onClose()
    }
    if (outcome !== undefined && !isUnchanged.has(outcome.kind)) await refresh(made.current)
  }
  const fields = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!sending.busy || !fields.current?.contains(activeElement)) return
    // The browser takes the focus off what is inert.
    return () => (activeElement as HTMLElement).focus()
  }, [sending.busy])
  const problems = problemsOf(sending.outcome)
  useLayoutEffect(() => {
    if (problems.length > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])
  const segments = first.feature === undefined ? [first.action] : []
  const voids = voidedBy(review)
  return (
    <Dialog
      title="Edit the change"
      above={<PlaceMark project={project} name={reachOf({ environment, features: [], segments })} />}
      subtitle={voids && <p class="small">{voids}</p>}
      wide
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            submit
            kind="primary"
            off={change === undefined}
            busy={sending.busy && 'Sending…'}
            aria-describedby={reason && id}
          >
            {now === undefined ? 'Add the change' : 'Save the change'}
          </Button>
        </>
      }
    >
      {now === undefined && (
        <Notice tone="care" icon="warn" title="This change was discarded in the meantime">
          What you typed is kept. Sending it adds it again.
        </Notice>
      )}
      {/* While it is being sent, what would be typed would not be part of it. */}
      <div ref={fields} inert={sending.busy}>
        {children(problems)}
      </div>
      {reason && (
        <p class="fine" id={id}>
          {reason}
        </p>
      )}
      <OutcomeNotice action={sending} verb="edit it" keptMessage="What you typed is kept." />
    </Dialog>
  )
}
