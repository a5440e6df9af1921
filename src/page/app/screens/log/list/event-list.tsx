import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { useKeys } from '../../../core/tools/keys'
import type { Day } from '../../../core/tools/local-time'
import { lazy } from '../../../parts/lazy'
import { Loading } from '../../../parts/messages/notice'
import type { EventBodyProps } from '../event/event-body'
import { EventLine } from '../event/event-line'
import { dayWords } from '../plot/days'
import { type LogRow, nextEvent, toRows } from './rows'
import { type Virtual, VirtualList } from './virtual-list'

interface EventListProps {
  readonly events: readonly EventView[]
  readonly zone: string
  /** How many newer events were dropped. */
  readonly above: number
  readonly actorOf: (event: EventView) => string
  readonly withProject: boolean
  readonly opened: ReadonlySet<number>
  readonly onToggle: (id: number) => void
  /** Called when the end of the list comes into sight. */
  readonly onEnd: () => void
  /** Called when the place of dropped events comes into sight. */
  readonly onDropped: () => void
  /** Called with the day of the first visible event. */
  readonly onDay: (day: Day) => void
  readonly virtual: RefObject<Virtual | null>
}

/** Rows from the end at which the next page is requested. */
const ahead = 100

/** The events that are loaded; only visible ones are in the document. `j` and `k` move. */
export function EventList(props: EventListProps) {
  const { events, zone, above, onEnd, onDropped, onDay, virtual } = props
  const rows = useMemo(() => toRows(events, zone, above), [events, zone, above])
  const [focused, setFocused] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const keep = focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused)
  const move = (step: 1 | -1) => {
    const from = keep >= 0 ? keep : firstInSight(virtual.current) - step
    const next = nextEvent(rows, from, step)
    setFocused(rows[next]?.key)
    focusRow(box.current, next, () => virtual.current?.scrollTo(next))
  }
  useKeys({
    j: { label: 'next event', run: () => move(1) },
    k: { label: 'event before', run: () => move(-1) },
  })
  const onRange = useCallback(
    (first: number, last: number) => {
      const day = rows[firstInSight(virtual.current)]?.day
      if (day !== undefined) onDay(day)
      if (rows[0]?.kind === 'dropped' && first < ahead) onDropped()
      else if (last >= rows.length - ahead) onEnd()
    },
    [rows, onDay, onEnd, onDropped, virtual],
  )
  const renderRow = useRenderedRows(props)
  return (
    <div
      ref={box}
      onFocusIn={({ target }) => setFocused(keyOf(target, rows))}
      onFocusOut={({ relatedTarget }) => relatedTarget instanceof Element && setFocused(keyOf(relatedTarget, rows))}
    >
      <VirtualList
        class="events"
        label="Events"
        count={rows.length}
        estimate={(index) => estimateRow(rows[index], above)}
        keyOf={(index) => rows[index]?.key ?? index}
        keep={keep < 0 ? undefined : keep}
        onRange={onRange}
        control={virtual}
        render={(index) => renderRow(rows[index])}
      />
    </div>
  )
}

type Drawing = Pick<EventListProps, 'zone' | 'actorOf' | 'withProject' | 'opened' | 'onToggle'>

/** Renders each row once: while the user scrolls, rendered rows are not compared again. */
function useRenderedRows(drawing: Drawing): (row: LogRow<EventView> | undefined) => ComponentChildren {
  const { zone, actorOf, withProject, opened, onToggle } = drawing
  return useMemo(() => {
    const known = new WeakMap<LogRow<EventView>, VNode>()
    return (row) => {
      if (row === undefined) return null
      const found = known.get(row) ?? <Row {...{ row, zone, actorOf, withProject, opened, onToggle }} />
      known.set(row, found)
      return found
    }
  }, [zone, actorOf, withProject, opened, onToggle])
}

const EventBody = lazy(async () => (await import('../event/event-body')).EventBody, EventFallback)

function EventFallback({ id, failed }: EventBodyProps & { readonly failed: boolean }) {
  return (
    <div class="event-body" id={id}>
      {failed ? 'This part of the page could not be loaded. Reload the page.' : <Loading subject="the event" />}
    </div>
  )
}

type RowProps = Drawing & { readonly row: LogRow<EventView> }

function Row({ row, zone, actorOf, withProject, opened, onToggle }: RowProps) {
  if (row.kind === 'dropped') return null
  if (row.kind === 'day') {
    return (
      <div class="day flow small">
        <h2>{dayWords(row.day, { form: 'long' })}</h2>
        <span class="muted">
          in <bdi>{zone}</bdi>
        </span>
      </div>
    )
  }
  const { event } = row
  const open = opened.has(event.id)
  const bodyId = `event-${event.id}`
  return (
    <div class={open ? 'event open' : 'event'}>
      <EventLine
        {...{ event, zone, withProject, open, bodyId }}
        actor={actorOf(event)}
        onToggle={() => onToggle(event.id)}
      />
      {open ? <EventBody event={event} id={bodyId} /> : <div id={bodyId} hidden />}
    </div>
  )
}

/** The first row below what is stuck to the top of the window. */
function firstInSight(virtual: Virtual | null): number {
  return virtual?.firstBelow(stuckHeight()) ?? 0
}

/** Height of the top bar and of the day that stays below it, in pixels; in a low window, they scroll away. */
function stuckHeight(): number {
  if (window.innerHeight <= 480) return 0
  return window.innerWidth <= 768 ? 125 : 88
}

function estimateRow(row: LogRow | undefined, above: number): number {
  const line = window.innerWidth <= 768 ? 63 : 35
  if (row?.kind === 'dropped') return above * line
  return row?.kind === 'day' ? 37 : line
}

function keyOf(target: EventTarget | null, rows: readonly LogRow[]): string | undefined {
  const index = target instanceof Element ? target.closest('[data-index]')?.getAttribute('data-index') : undefined
  return index == null ? undefined : rows[Number(index)]?.key
}

/** Focusing scrolls the row into the window. A row outside the window is scrolled to first, and rendered some frames later. */
function focusRow(box: HTMLElement | null, index: number, scroll: (() => void) | undefined, tries = 10): void {
  const button = box?.querySelector<HTMLElement>(`[data-index="${index}"] .chev`)
  if (button) {
    button.focus()
    return
  }
  scroll?.()
  if (tries > 0) requestAnimationFrame(() => focusRow(box, index, undefined, tries - 1))
}
