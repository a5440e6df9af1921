import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DiscussionCommentView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { Button } from '../../../parts/controls/button'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { hasNewComment, useStep } from '../model/use-step'

export interface CommentFormProps {
  /** The change that it is about; absent: the whole request. */
  readonly about?: number
  /** The comment whose text it replaces; absent: a new one. */
  readonly edits?: Pick<DiscussionCommentView, 'id' | 'text'>
  readonly label: string
  readonly onDone?: () => void
  readonly onClose?: () => void
}

/** A comment, kept in the tab until it is sent. A new one is about words, so it needs no revision. */
export function CommentForm({ about, edits, label, onDone = () => undefined, onClose }: CommentFormProps) {
  const { place, off, me } = useRequestContext()
  const subject = edits ? `edit ${edits.id}` : (about ?? '')
  const [draft, setDraft, clear] = useDraft(`comment ${place.project} ${place.id} ${subject}`)
  const [isTouched, setTouched] = useState(draft !== '')
  const text = isTouched ? draft : (edits?.text ?? draft)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (subject !== '') field.current?.focus()
  }, [subject])
  const step = useStep<[string]>({
    // Without a revision: the server knows until when a comment can be edited, and says why not.
    run: (_context, { idempotencyKey, signal }, said) => {
      if (edits) return client.editComment(place, edits.id, said, { signal })
      const comment = about === undefined ? { text: said } : { text: said, changeId: about }
      return client.comment(place, comment, { idempotencyKey, signal })
    },
    said: edits ? 'Your comment was edited.' : 'Your comment was added.',
    whileChanged: edits === undefined,
    hasKey: edits === undefined,
    isDone: (latest, before, said) =>
      edits
        ? latest.review.discussion.some(({ id, text }) => id === edits.id && text === said.trim())
        : hasNewComment(latest, before, me.id),
    onDone: () => {
      clear()
      onDone()
    },
  })
  return (
    <form
      class="write"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') step.press(text)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose?.()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <textarea
        ref={field}
        aria-label={label}
        placeholder="Visible to everyone who can see this change request"
        maxLength={10_000}
        value={text}
        onInput={({ currentTarget }) => {
          setTouched(true)
          setDraft(currentTarget.value)
        }}
      />
      <div class="line">
        <span class="help">
          {edits ? 'Possible for 10 minutes, until someone comments or votes.' : 'Comments do not void approvals.'}
        </span>
        <span class="acts">
          {onClose && (
            <Button kind="quiet" onClick={onClose}>
              Close
            </Button>
          )}
          <Button
            submit
            off={text.trim() === '' || (edits ? off !== null : off === 'offline')}
            busy={step.busy && 'Sending…'}
          >
            {edits ? 'Save' : 'Comment'}
          </Button>
        </span>
      </div>
      <OutcomeNotice action={step} what={edits ? 'edit it' : 'comment here'} kept="Your comment is kept." />
    </form>
  )
}
