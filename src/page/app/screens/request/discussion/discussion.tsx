import { useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import type { Loaded } from '../../../core/api/load'
import { Button } from '../../../parts/controls/button'
import { Tabs } from '../../../parts/controls/tabs'
import { Person } from '../../../parts/marks/person'
import { LoadFailed } from '../../../parts/messages/load-failed'
import { usePrinting } from '../../../parts/printing'
import { counted } from '../../../words/numbers'
import { useRequestContext } from '../model/context'
import { Comment } from './comment'
import { CommentForm, type CommentFormProps } from './comment-form'
import { type Entry, type Filter, toEntries } from './entries'
import { Happened } from './happened'

/** More than this would hide the newest. */
const most = 100

/** The comments and events of the change request, oldest first. */
export function Discussion({ timeline }: { readonly timeline: Loaded<readonly EventView[]> }) {
  const { latest, events, me } = useRequestContext()
  const [filter, setFilter] = useState<Filter>('all')
  const [isAll, setAll] = useState(false)
  const { discussion } = latest.review
  const isPrinting = usePrinting()
  const entries = toEntries(discussion, events, isPrinting ? 'all' : filter)
  const hidden = isAll || isPrinting ? 0 : Math.max(0, entries.length - most)
  const tabs = [
    { id: 'all', label: 'All' },
    { id: 'comments', label: 'Comments', count: discussion.filter(({ text }) => text !== null).length },
    { id: 'history', label: 'Events', count: events.length },
  ]
  return (
    <section class="discussion" aria-labelledby="activity">
      <div class="sec-head">
        <h2 id="activity">Activity</h2>
        <div class="end">
          <Tabs label="What is shown" tabs={tabs} current={filter} onChoose={(id) => setFilter(id as Filter)} />
        </div>
      </div>
      {timeline.error && <LoadFailed loaded={timeline} what="the history" />}
      <ol class="stream">
        {hidden > 0 && (
          <li>
            <span class="dot" />
            <p class="ev">
              <Button
                size="tiny"
                onClick={() => setAll(true)}
              >{`Show ${counted(hidden, 'earlier entry', 'earlier entries')}`}</Button>
            </p>
          </li>
        )}
        {entries
          .slice(hidden)
          .map((entry) =>
            entry.kind === 'comment' ? (
              <Comment key={keyOf(entry)} comment={entry.comment} />
            ) : (
              <Happened key={keyOf(entry)} entry={entry} />
            ),
          )}
        <li>
          <span class="dot">
            <Person person={me} />
          </span>
          <CommentForm label="Comment" />
        </li>
      </ol>
    </section>
  )
}

interface ThreadProps extends Required<Pick<CommentFormProps, 'about' | 'label' | 'onClose'>> {}

/** The comments on one change, and a form for another. */
export function Thread({ about, label, onClose }: ThreadProps) {
  const { latest } = useRequestContext()
  return (
    <div class="thread">
      <ol class="stream">
        {latest.review.discussion.map(
          (comment) => comment.changeId === about && <Comment key={comment.id} comment={comment} isAtChange />,
        )}
      </ol>
      <CommentForm about={about} label={label} onDone={onClose} onClose={onClose} />
    </div>
  )
}

function keyOf(entry: Entry): string {
  return entry.kind === 'comment' ? `comment ${entry.comment.id}` : `event ${entry.events[0].id}`
}
