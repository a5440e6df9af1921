import { useState } from 'preact/hooks'
import * as times from '../../../core/tools/times'
import { Said } from '../../../parts/changes/said'
import { eventIcon } from '../../../parts/marks/event-icon'
import { Icon } from '../../../parts/marks/icon'
import { MachineMark, machineIn } from '../../../parts/marks/machine-mark'
import { usePrinting } from '../../../parts/printing'
import { type EventContext, eventWords, hasActor, repeatedWords } from '../../../words/events'
import { useRequestContext } from '../model/context'
import type { EventEntry } from './entries'

/** Something that happened. */
export function Happened({ entry: { events } }: { readonly entry: EventEntry }) {
  const { actorOf, nameOf } = useRequestContext()
  const [event] = events
  const machine = machineIn(event)
  const principal = machine?.onBehalfOf
  const context = useEventContext()
  return (
    <li>
      <span class="dot">
        <Icon name={eventIcon(event)} />
      </span>
      <div class="ev">
        {hasActor(event) && (
          <>
            <b>
              <bdi title={event.createdBy}>{actorOf(event)}</bdi>
            </b>
            {machine && (
              <MachineMark
                author={{
                  ...machine,
                  onBehalfOf: principal ? { ...principal, username: nameOf(principal.id) ?? principal.username } : null,
                }}
              />
            )}{' '}
          </>
        )}
        {events.length === 1 ? (
          <Said words={eventWords(event, context)} />
        ) : (
          <Repeated events={events} context={context} />
        )}{' '}
        <When at={events.at(-1)?.createdAt ?? event.createdAt} />
      </div>
    </li>
  )
}

function useEventContext(): EventContext {
  const { nameOf } = useRequestContext()
  return { nameOf, time: (iso) => times.dayAndTime(iso) }
}

/** Consecutive steps of one user, as one line. */
function Repeated({ events, context }: { readonly events: EventEntry['events']; readonly context: EventContext }) {
  const isPrinting = usePrinting()
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="repeated"
      open={isPrinting || isOpen}
      onToggle={({ currentTarget }) => isPrinting || setOpen(currentTarget.open)}
    >
      <summary>
        <Said words={repeatedWords(events[0].type, events.length)} />
      </summary>
      {(isPrinting || isOpen) && (
        <ul>
          {events.map((event) => (
            <li key={event.id}>
              <Said words={eventWords(event, context)} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

/** How long ago it was. */
export function When({ at }: { readonly at: string }) {
  return (
    <time class="when" dateTime={at} title={times.dayAndTime(at)}>
      · {times.ago(at)}
    </time>
  )
}
