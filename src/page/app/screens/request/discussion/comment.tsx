import * as times from '../../../core/tools/times'
import { Icon } from '../../../parts/marks/icon'
import { MachineMark } from '../../../parts/marks/machine-mark'
import { Person, PersonName } from '../../../parts/marks/person'
import { changeWords } from '../../../words/changes'
import { changeId, focusOn } from '../changes/places'
import { useRequestContext } from '../model/context'
import type { CommentEntry } from './entries'

/** One comment. */
export function Comment({ entry: { comment } }: { readonly entry: CommentEntry }) {
  const { createdBy, author, createdAt, text, changeId: about } = comment
  return (
    <li>
      <span class="dot">
        <Person person={createdBy} />
      </span>
      <article class="panel comment">
        <div class="comment-head">
          <b>
            <PersonName person={createdBy} />
          </b>
          <MachineMark author={author} />
          <time class="end when" dateTime={createdAt} title={times.dayAndTime(createdAt)}>
            {times.ago(createdAt)}
          </time>
        </div>
        <div class="comment-body">
          {about !== null && <About id={about} />}
          <p class="said" dir="auto">
            {text}
          </p>
        </div>
      </article>
    </li>
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
