import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DiscussionCommentView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { useDraft } from '../../core/tools/drafts'
import * as times from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { nameOf, Person, PersonName } from '../../parts/marks/person'
import { withMarks } from '../../parts/marks/unseen'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { usePrinting } from '../../parts/printing'
import { changeWords } from '../../words/changes'
import { splitLinks } from '../../words/links'
import { changeId, commentId, isOpenAtChange } from './focus'
import type { RequestProps } from './use-request'
import { hasNewComment, useStep } from './use-step'

interface CommentProps extends RequestProps {
  readonly comment: DiscussionCommentView
  /** Whether it is shown at the change that it is about. */
  readonly isAtChange?: boolean
}

/** One comment. A resolved one is folded. */
export function Comment(props: CommentProps) {
  const { comment, isAtChange = false, request, review, targets, actions } = props
  const { createdBy, author, createdAt, editedAt, text, changeId: about, deleted, resolved } = comment
  const [isEditing, setEditing] = useState(false)
  const isPrinting = usePrinting()
  const item = useRef<HTMLLIElement>(null)
  // The button that was pressed disappears.
  const focus = () => item.current?.focus()
  const closeForm = () => {
    setEditing(false)
    focus()
  }
  const address = `#${commentId(comment.id)}`
  const id = isOpenAtChange(comment, review.changes) === isAtChange ? commentId(comment.id) : undefined
  if (deleted !== null && !isEditing) {
    return (
      <li ref={item} id={id} tabIndex={-1}>
        <span class="dot">
          <Icon name="trash" />
        </span>
        <p class="ev soft small">
          Comment deleted by <PersonName person={deleted.by} strong /> · <When at={deleted.at} />
        </p>
      </li>
    )
  }
  const time = <When at={createdAt} />
  const head = (
    <>
      <PersonName person={createdBy} strong />
      <MachineMark author={author} />
      {resolved && (
        <span>
          Resolved by <PersonName person={resolved.by} />
        </span>
      )}
      <span class="end small muted">
        {editedAt !== null && <span title={times.dayAndTime(editedAt)}>edited · </span>}
        {/* A summary must not contain a link. */}
        {resolved ? time : <a href={address}>{time}</a>}
      </span>
    </>
  )
  const body = (
    <div class="comment-body">
      {about !== null && <CommentedChange {...{ comment, about, targets, isAtChange }} />}
      {isEditing ? (
        <CommentForm
          {...{ request, actions }}
          edits={comment}
          label="Edit your comment"
          onDone={closeForm}
          onClose={closeForm}
        />
      ) : (
        <>
          <p class="said" dir="auto">
            <Linked text={text ?? ''} />
          </p>
          <CommentTools {...props} onEdit={() => setEditing(true)} onDone={focus}>
            {resolved && (
              <a class="small" href={address}>
                Link to this comment
              </a>
            )}
          </CommentTools>
        </>
      )}
    </div>
  )
  return (
    <li ref={item} id={id} tabIndex={-1}>
      <span class="dot">
        <Person person={createdBy} />
      </span>
      <article class="panel comment">
        {resolved ? (
          <details open={isEditing || isPrinting}>
            <summary class="comment-head flow small">
              <Icon name="chevronRight" class="fold" />
              {head}
            </summary>
            {body}
          </details>
        ) : (
          <>
            <div class="comment-head flow small">{head}</div>
            {body}
          </>
        )}
      </article>
    </li>
  )
}

/** How long ago it was. */
export function When({ at }: { readonly at: string }) {
  return (
    <time class="when muted small" dateTime={at} title={times.dayAndTime(at)}>
      {times.ago(at)}
    </time>
  )
}

/** Text of a user, never HTML. The text of a link is its address, in any direction of the surrounding text. */
export function Linked({ text }: { readonly text: string }) {
  return splitLinks(text).map((piece, index, { length }) =>
    piece.isLink ? (
      <bdi dir="ltr">
        <a href={piece.text} rel="noopener noreferrer nofollow">
          {piece.text}
        </a>
      </bdi>
    ) : (
      withMarks(piece.text, index === 0 ? '' : 'x', index === length - 1 ? '' : 'x')
    ),
  )
}

interface CommentToolsProps extends CommentProps {
  readonly onEdit: () => void
  readonly onDone: () => void
  readonly children: ComponentChildren
}

/** What the viewer can do with a comment now. */
function CommentTools({ comment, request, actions, onEdit, onDone, children }: CommentToolsProps) {
  const { id, createdBy, may, resolved } = comment
  const isResolved = resolved !== null
  const step = useStep(actions, {
    run: ({ signal }) => client.resolveComment(request, id, !isResolved, { signal }),
    doneMessage: isResolved ? 'The comment is open again.' : 'The comment is resolved.',
    isDone: ({ review }) => review.discussion.some((one) => one.id === id && (one.resolved === null) === isResolved),
    onDone,
  })
  if (may.length === 0 && !step.outcome && !children) return null
  const shared = { kind: 'quiet', size: 'tiny', off: actions.off !== null } as const
  return (
    <div class="comment-tools">
      {may.includes('edit') && (
        <Button {...shared} icon="pencil" aria-label="Edit your comment" onClick={onEdit}>
          Edit
        </Button>
      )}
      {may.includes('delete') && (
        <Button
          {...shared}
          icon="trash"
          aria-label="Delete your comment"
          onClick={() => actions.open('deleteComment', id)}
        >
          Delete
        </Button>
      )}
      {may.includes('resolve') && (
        <Button
          {...shared}
          icon={isResolved ? 'undo' : 'check'}
          aria-label={`${isResolved ? 'Reopen' : 'Resolve'} the comment of ${nameOf(createdBy)}`}
          busy={step.busy && 'Saving…'}
          onClick={() => step.press()}
        >
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
      )}
      {children}
      <OutcomeNotice action={step} verb="resolve this comment" />
    </div>
  )
}

interface CommentedChangeProps extends Required<Pick<CommentProps, 'comment' | 'targets' | 'isAtChange'>> {
  readonly about: number
}

/** The change that a comment is about, also if it no longer exists, or was edited after the comment. */
function CommentedChange({ comment, about, targets, isAtChange }: CommentedChangeProps) {
  const target = targets.find(({ changes }) => changes.some((change) => change.id === about))
  const change = target?.changes.find((one) => one.id === about)
  const isEdited = change?.createdAt !== undefined && change.createdAt > comment.createdAt
  if (isAtChange && !isEdited) return null
  const link = target && change && !isAtChange && (
    <a href={`#${changeId(about)}`}>
      <bdi>{target.name}</bdi> › <bdi>{changeWords(change, change.before ?? change.after).what}</bdi>
    </a>
  )
  return (
    <p class="about">
      <Icon name="comment" />
      {change ? link : <span>on a change that no longer exists</span>}
      {isEdited && <span>{isAtChange ? 'Before' : 'before'} an edit</span>}
    </p>
  )
}

export interface CommentFormProps extends Pick<RequestProps, 'request' | 'actions'> {
  /** The change that it is about; absent: the whole request. */
  readonly about?: number
  /** The comment whose text it replaces; absent: a new one. */
  readonly edits?: Pick<DiscussionCommentView, 'id' | 'text'>
  readonly label: string
  readonly onDone?: () => void
  readonly onClose?: () => void
}

/** A form for a comment. The text stays in the tab until it is sent. */
export function CommentForm({ request, actions, about, edits, label, onDone, onClose }: CommentFormProps) {
  const me = useMe()
  const subject = edits ? `edit ${edits.id}` : (about ?? '')
  const [draft, setDraft, clear] = useDraft(`comment ${request.project} ${request.id} ${subject}`)
  const [isTouched, setTouched] = useState(draft !== '')
  const text = isTouched ? draft : (edits?.text ?? draft)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (subject !== '') field.current?.focus()
  }, [subject])
  const step = useStep<[string]>(actions, {
    // Without a revision: the server knows until when a comment can be edited, and returns the reason.
    run: ({ idempotencyKey, signal }, sent) => {
      if (edits) return client.editComment(request, edits.id, sent, { signal })
      const comment = about === undefined ? { text: sent } : { text: sent, changeId: about }
      return client.comment(request, comment, { idempotencyKey, signal })
    },
    doneMessage: edits ? 'Your comment was edited.' : 'Your comment was added.',
    whileChanged: edits === undefined,
    hasKey: edits === undefined,
    isDone: (latest, before, sent) =>
      edits
        ? latest.review.discussion.some(({ id, text }) => id === edits.id && text === sent.trim())
        : hasNewComment(latest, before, me.id),
    onDone: () => {
      clear()
      onDone?.()
    },
  })
  const { off } = actions
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
      <div class="line flow">
        <span class="muted small">
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
      <OutcomeNotice action={step} verb={edits ? 'edit it' : 'comment here'} keptMessage="Your comment is kept." />
    </form>
  )
}
