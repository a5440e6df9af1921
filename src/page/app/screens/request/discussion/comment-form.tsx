import { useLayoutEffect, useRef } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { Button } from '../../../parts/controls/button'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'

interface CommentFormProps {
  /** The change that it is about; absent: the whole request. */
  readonly about?: number
  readonly label: string
  readonly onDone?: () => void
  readonly onClose?: () => void
}

/** A comment, kept in the tab until it is sent. It is about words, so it needs no revision. */
export function CommentForm({ about, label, onDone, onClose }: CommentFormProps) {
  const { place, off } = useRequestContext()
  const [text, setText, clear] = useDraft(`comment ${place.project} ${place.id} ${about ?? ''}`)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (about !== undefined) field.current?.focus()
  }, [about])
  const step = useStep<[string]>({
    run: (_context, { idempotencyKey, signal }, said) => {
      const comment = about === undefined ? { text: said } : { text: said, changeId: about }
      return client.comment(place, comment, { idempotencyKey, signal })
    },
    said: 'Your comment was added.',
    whileChanged: true,
    onDone: () => {
      clear()
      onDone?.()
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
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="line">
        <span class="help">Comments do not void approvals.</span>
        <span class="acts">
          {onClose && (
            <Button kind="quiet" onClick={onClose}>
              Close
            </Button>
          )}
          <Button submit off={text.trim() === '' || off === 'offline'} busy={step.busy && 'Sending…'}>
            Comment
          </Button>
        </span>
      </div>
      <OutcomeNotice action={step} what="comment here" kept="Your comment is kept." />
    </form>
  )
}
