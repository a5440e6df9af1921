import type { EventView } from '../../../../../generated'
import { times } from '../../../core'
import { Said } from '../../../parts/changes'
import { Icon } from '../../../parts/marks'
import { type EventContext, eventWords, hasActor } from '../../../words/events'
import { objectOf } from '../../../words/json'
import { counted } from '../../../words/numbers'
import { useRequestContext } from '../model/context'
import type { EventEntry } from './entries'

/** Something that happened. */
export function Happened({ entry: { events } }: { readonly entry: EventEntry }) {
  const { nameOf } = useRequestContext()
  const [event] = events
  const context = useEventContext()
  const { icon, words } = eventWords(event, context)
  const name = (typeof event.createdByUserId === 'number' && nameOf(event.createdByUserId)) || event.createdBy
  return (
    <li>
      <span class="dot">
        <Icon name={icon} />
      </span>
      <div class="ev">
        {hasActor(event) && (
          <>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
          </>
        )}
        {events.length === 1 ? <Said words={words} /> : <Repeated events={events} />}{' '}
        <When at={events.at(-1)?.createdAt ?? event.createdAt} />
      </div>
    </li>
  )
}

function useEventContext(): EventContext {
  const { content, nameOf } = useRequestContext()
  const targetOf = (id: unknown) => {
    const changes = content.targets.flatMap((target) => target.changes)
    const change = id === undefined ? undefined : changes.find(({ payload }) => objectOf(payload).id === id)
    return change?.before ?? change?.after
  }
  return { nameOf, time: (iso) => times.dayAndTime(iso), targetOf }
}

const verbs: Readonly<Record<string, string>> = {
  'change-added': 'added',
  'change-edited': 'edited',
  'change-discarded': 'took out',
}

/** What one person did many times in a row, told once. */
function Repeated({ events }: { readonly events: readonly EventView[] }) {
  const context = useEventContext()
  const [first] = events
  return (
    <details class="repeated">
      <summary>
        {verbs[first?.type ?? ''] ?? ''} {counted(events.length, 'change')}
      </summary>
      <ul>
        {events.map((event) => (
          <li key={event.id}>
            <Said words={eventWords(event, context).words} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function When({ at }: { readonly at: string }) {
  return (
    <time class="when" dateTime={at} title={times.dayAndTime(at)}>
      · {times.ago(at)}
    </time>
  )
}
