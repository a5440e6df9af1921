import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EventView } from '../../../../generated'
import type { Loaded } from '../../core/api/query'
import { useMe } from '../../core/api/session'
import * as times from '../../core/tools/times'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { Tabs } from '../../parts/controls/tabs'
import { eventIcon } from '../../parts/marks/event-icon'
import { Icon } from '../../parts/marks/icon'
import { MachineMark, machineIn } from '../../parts/marks/machine-mark'
import { Person, PersonName } from '../../parts/marks/person'
import { LoadFailed } from '../../parts/messages/load-failed'
import { usePrinting } from '../../parts/printing'
import { type EventEntry, type Filter, type StepEntry, toEntries } from '../../words/content/entries'
import { type EventContext, eventWords, hasActor, repeatedWords } from '../../words/events'
import { counted } from '../../words/numbers'
import { unloggedSteps } from '../../words/unlogged-steps'
import { Comment, CommentForm, type CommentFormProps, When } from './comment'
import { commentId, isOpenAtChange, useUnfolding } from './focus'
import type { Names, RequestProps } from './use-request'

/** More entries would hide the latest ones. */
const maxEntries = 100

interface DiscussionProps extends RequestProps {
  readonly timeline: Loaded<readonly EventView[]>
  readonly names: Names
}

/** The comments and events of the change request, oldest first. */
export function Discussion({ timeline, names, ...props }: DiscussionProps) {
  const me = useMe()
  const events = timeline.data ?? []
  const { discussion } = props.review
  const [filter, setFilter] = useState<Filter>('all')
  const [isAll, setAll] = useState(false)
  const isPrinting = usePrinting()
  const steps = unloggedSteps(props.review)
  const entries = toEntries(discussion, events, isPrinting ? 'all' : filter, steps)
  const hidden = isAll || isPrinting ? 0 : Math.max(0, entries.length - maxEntries)
  useUnfolding((id) => {
    const { changes } = props.review
    if (hidden === 0 && filter !== 'history') return false
    if (!discussion.some((one) => commentId(one.id) === id && !isOpenAtChange(one, changes))) return false
    setFilter('all')
    setAll(true)
    return true
  })
  const tabs = [
    { id: 'all', label: 'All' },
    { id: 'comments', label: 'Comments', count: discussion.filter(({ text }) => text !== null).length },
    { id: 'history', label: 'Events', count: events.length + steps.length },
  ]
  return (
    <section class="discussion" aria-labelledby="activity">
      <div class="sec-head">
        <h2 id="activity">Activity</h2>
        <div class="end">
          <Tabs label="What is shown" tabs={tabs} current={filter} onChoose={(id) => setFilter(id as Filter)} />
        </div>
      </div>
      {timeline.error && <LoadFailed loaded={timeline} subject="the history" />}
      <ol class="stream">
        {hidden > 0 && (
          <li>
            <span class="dot" />
            <p class="ev soft small">
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
              <Comment {...props} key={`comment ${entry.comment.id}`} comment={entry.comment} />
            ) : entry.kind === 'step' ? (
              <UnloggedStep key={`step ${entry.at} ${entry.person.id}`} entry={entry} />
            ) : (
              <Events key={`event ${entry.events[0].id}`} entry={entry} names={names} />
            ),
          )}
        <li>
          <span class="dot">
            <Person person={me} />
          </span>
          <CommentForm {...props} label="Comment" />
        </li>
      </ol>
    </section>
  )
}

interface ThreadProps extends RequestProps, Required<Pick<CommentFormProps, 'about' | 'label' | 'onClose'>> {
  readonly isWriting: boolean
}

/** The unresolved comments on one change; while the viewer is writing also the others, with the form. */
export function Thread({ about, label, isWriting, onClose, ...props }: ThreadProps) {
  const { changes, discussion } = props.review
  const shown = discussion.filter((one) => one.changeId === about && (isWriting || isOpenAtChange(one, changes)))
  if (shown.length === 0 && !isWriting) return null
  return (
    <div class="thread">
      <ol class="stream">
        {shown.map((comment) => (
          <Comment {...props} key={comment.id} comment={comment} isAtChange />
        ))}
      </ol>
      {isWriting && <CommentForm {...props} about={about} label={label} onDone={onClose} onClose={onClose} />}
    </div>
  )
}

/** An event, or several similar ones. */
function Events({ entry: { events }, names }: { readonly entry: EventEntry; readonly names: Names }) {
  const [event] = events
  const machine = machineIn(event)
  const principal = machine?.onBehalfOf
  const context: EventContext = { nameOf: names.nameOf, time: (iso) => times.dayAndTime(iso) }
  const sentence = (
    <>
      {hasActor(event) && (
        <>
          <bdi class="strong" title={event.createdBy}>
            {names.actorOf(event)}
          </bdi>
          {machine && (
            <MachineMark
              author={{
                ...machine,
                onBehalfOf: principal
                  ? { ...principal, username: names.nameOf(principal.id) ?? principal.username }
                  : null,
              }}
            />
          )}{' '}
        </>
      )}
      <RichText words={events.length === 1 ? eventWords(event, context) : repeatedWords(event.type, events.length)} /> ·{' '}
      <When at={events.at(-1)?.createdAt ?? event.createdAt} />
    </>
  )
  return (
    <li>
      <span class="dot">
        <Icon name={eventIcon(event)} />
      </span>
      <div class="ev soft small">
        {events.length === 1 ? sentence : <Repeated events={events} context={context} sentence={sentence} />}
      </div>
    </li>
  )
}

function UnloggedStep({ entry: { at, person, isObjection, words } }: { readonly entry: StepEntry }) {
  return (
    <li>
      <span class="dot">
        <Icon name={isObjection ? 'stop' : 'undo'} />
      </span>
      <p class="ev soft small">
        <PersonName person={person} strong /> <RichText words={words} /> · <When at={at} />
      </p>
    </li>
  )
}

interface RepeatedProps {
  readonly events: EventEntry['events']
  readonly context: EventContext
  readonly sentence: ComponentChildren
}

/** Several similar events, as one line that unfolds. */
function Repeated({ events, context, sentence }: RepeatedProps) {
  const isPrinting = usePrinting()
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isPrinting || isOpen} onToggle={({ currentTarget }) => isPrinting || setOpen(currentTarget.open)}>
      <summary>
        {sentence} <Icon name="chevronRight" class="fold" />
      </summary>
      {(isPrinting || isOpen) && (
        <ul>
          {events.map((event) => (
            <li key={event.id}>
              <RichText words={eventWords(event, context)} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
