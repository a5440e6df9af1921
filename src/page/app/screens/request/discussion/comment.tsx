import { useRef, useState } from 'preact/hooks'
import type { DiscussionCommentView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import { MachineMark } from '../../../parts/marks/machine-mark'
import { nameOf, Person, PersonName } from '../../../parts/marks/person'
import { withMarks } from '../../../parts/marks/unseen'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { usePrinting } from '../../../parts/printing'
import { changeWords } from '../../../words/changes'
import { splitLinks } from '../../../words/links'
import { changeId, focusOn } from '../changes/places'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
import { CommentForm } from './comment-form'
import { When } from './happened'

interface CommentProps {
  readonly comment: DiscussionCommentView
  /** It stands at the change that it is about. */
  readonly isAtChange?: boolean
}

/** One comment. A resolved one is folded. */
export function Comment({ comment, isAtChange = false }: CommentProps) {
  const { createdBy, author, createdAt, editedAt, text, changeId: about, deleted, resolved } = comment
  const [isEditing, setEditing] = useState(false)
  const isPrinting = usePrinting()
  const item = useRef<HTMLLIElement>(null)
  // The button that was pressed goes away.
  const focus = () => item.current?.focus()
  const closeForm = () => {
    setEditing(false)
    focus()
  }
  if (deleted !== null && !isEditing) {
    return (
      <li ref={item} tabIndex={-1}>
        <span class="dot">
          <Icon name="trash" />
        </span>
        <p class="ev">
          Comment deleted by{' '}
          <b>
            <PersonName person={deleted.by} />
          </b>{' '}
          <When at={deleted.at} />
        </p>
      </li>
    )
  }
  const head = (
    <>
      <b>
        <PersonName person={createdBy} />
      </b>
      <MachineMark author={author} />
      {resolved && (
        <span>
          Resolved by <PersonName person={resolved.by} />
        </span>
      )}
      <span class="end small muted">
        {editedAt !== null && <span title={times.dayAndTime(editedAt)}>edited · </span>}
        <time class="when" dateTime={createdAt} title={times.dayAndTime(createdAt)}>
          {times.ago(createdAt)}
        </time>
      </span>
    </>
  )
  const body = (
    <div class="comment-body">
      {about !== null && !isAtChange && <About id={about} />}
      {isEditing ? (
        <CommentForm edits={comment} label="Edit your comment" onDone={closeForm} onClose={closeForm} />
      ) : (
        <>
          <p class="said" dir="auto">
            <Linked text={text ?? ''} />
          </p>
          <Tools comment={comment} onEdit={() => setEditing(true)} onDone={focus} />
        </>
      )}
    </div>
  )
  return (
    <li ref={item} tabIndex={-1}>
      <span class="dot">
        <Person person={createdBy} />
      </span>
      <article class="panel comment">
        {resolved ? (
          <details open={isEditing || isPrinting}>
            <summary class="comment-head">
              <Icon name="chevronDown" />
              {head}
            </summary>
            {body}
          </details>
        ) : (
          <>
            <div class="comment-head">{head}</div>
            {body}
          </>
        )}
      </article>
    </li>
  )
}

/** Text of a user, never HTML. The text of a link is its address, whatever the direction of the text around it. */
function Linked({ text }: { readonly text: string }) {
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

interface ToolsProps extends CommentProps {
  readonly onEdit: () => void
  readonly onDone: () => void
}

/** What the viewer may do with a comment now. */
function Tools({ comment: { id, createdBy, may, resolved }, onEdit, onDone }: ToolsProps) {
  const { off, open } = useRequestContext()
  const isResolved = resolved !== null
  const step = useStep({
    run: ({ place }, { signal }) => client.resolveComment(place, id, !isResolved, { signal }),
    said: isResolved ? 'The comment is open again.' : 'The comment is resolved.',
    isDone: ({ review }) => review.discussion.some((one) => one.id === id && (one.resolved === null) === isResolved),
    onDone,
  })
  if (may.length === 0 && !step.outcome) return null
  const shared = { kind: 'quiet', size: 'tiny', off: off !== null } as const
  return (
    <div class="comment-tools">
      {may.includes('edit') && (
        <Button {...shared} icon="pencil" aria-label="Edit your comment" onClick={onEdit}>
          Edit
        </Button>
      )}
      {may.includes('delete') && (
        <Button {...shared} icon="trash" aria-label="Delete your comment" onClick={() => open({ deleteComment: id })}>
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
      <OutcomeNotice action={step} what="resolve this comment" />
    </div>
  )
}

/** The change that a comment is about, also when it is gone. */
function About({ id }: { readonly id: number }) {
  const { content } = useRequestContext()
  const target = content.targets.find(({ changes }) => changes.some((change) => change.id === id))
  const change = target?.changes.find((one) => one.id === id)
  return (
    <p class="about">
      <Icon name="comment" />
      {target && change ? (
        <a
          href={`#${changeId(id)}`}
          onClick={(event) => {
            event.preventDefault()
            focusOn(changeId(id))
          }}
        >
          <bdi>{target.name}</bdi> › <bdi>{changeWords(change, change.before ?? change.after).what}</bdi>
        </a>
      ) : (
        <span>on a change that is no longer there, or was edited since</span>
      )}
    </p>
  )
}
