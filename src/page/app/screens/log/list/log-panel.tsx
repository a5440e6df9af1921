import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { type Day, dayIn } from '../../../core/tools/local-time'
import { Button } from '../../../parts/controls/button'
import { LoadFailed, NotLoaded } from '../../../parts/messages/load-failed'
import { Empty } from '../../../parts/messages/notice'
import { count, counted } from '../../../words/numbers'
import { dayWords } from '../plot/days'
import { isFiltered, type ShownFilter, withDays } from '../search/filter'
import type { Names } from '../search/filter-words'
import { EventList } from './event-list'
import { maxFresh } from './log-pages'
import type { LogState, LogStore } from './log-store'
import type { Following } from './use-following'
import type { Virtual } from './virtual-list'

interface LogPanelProps {
  readonly log: LogStore
  readonly state: LogState
  readonly isStale: boolean
  readonly filter: ShownFilter
  readonly zone: string
  readonly names: Names
  readonly following: Following
  readonly onFilter: (filter: ShownFilter) => void
}

/** The events that were found, below the day of the first visible one. */
export function LogPanel(props: LogPanelProps) {
  const { log, state, isStale, filter, zone, names } = props
  const panel = useRef<HTMLElement>(null)
  useTopOn(log, panel)
  const focus = useFocusKept(panel)
  const { pages, error } = state
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [day, setDay] = useState<Day>()
  const virtual = useRef<Virtual>(null)
  useLayoutEffect(() => setDay(undefined), [log, zone])
  const actorOf = useCallback(
    ({ createdBy, createdByUserId }: EventView) => names.get(createdByUserId ?? Number.NaN) ?? createdBy,
    [names],
  )
  const onToggle = useCallback((id: number) => setOpened((before) => toggled(before, id)), [])
  const failed = { error, refresh: log.refresh }
  if (pages === undefined) {
    return (
      <section class="panel edge log-panel" aria-label="Events">
        <NotLoaded loaded={failed} subject={error ? 'the log' : 'events'} />
      </section>
    )
  }
  const [first] = pages.events
  const onlyDay = filter.from === filter.to ? filter.to : undefined
  const shownDay = first === undefined ? onlyDay : (day ?? dayIn(zone, first.createdAt))
  return (
    <section
      {...focus}
      ref={panel}
      class={isStale ? 'panel edge log-panel stale' : 'panel edge log-panel'}
      aria-label="Events"
      aria-busy={state.loading !== undefined}
    >
      {shownDay && <DayLine {...props} day={shownDay} />}
      {pages.events.length === 0 ? (
        <NothingFound {...props} />
      ) : (
        <EventList
          key={zone}
          events={pages.events}
          zone={zone}
          above={pages.above}
          actorOf={actorOf}
          withProject={filter.values.project?.length !== 1}
          opened={opened}
          onToggle={onToggle}
          onEnd={() => pages.searchedTo === null && log.more()}
          onDropped={() => log.above(window.scrollY < window.innerHeight)}
          onDay={setDay}
          virtual={virtual}
        />
      )}
      {error ? <LoadFailed loaded={failed} subject="older events" /> : <Below {...props} />}
    </section>
  )
}

function Below({ log, state }: LogPanelProps) {
  const { pages, loading } = state
  if (loading === 'more')
    return (
      <p class="log-end muted small" role="status">
        Loading older events…
      </p>
    )
  if (pages === undefined || pages.events.length === 0) return null
  if (pages.searchedTo !== null) return <SearchFurther {...{ log, state }} />
  return pages.next === null ? <p class="log-end muted small">No older events.</p> : null
}

function SearchFurther({ log, state }: Pick<LogPanelProps, 'log' | 'state'>) {
  const id = state.pages?.searchedTo
  return (
    <p class="log-end muted small">
      Older events than {id == null ? 'these' : `number ${count(id)}`} were not searched yet.{' '}
      <Button size="tiny" onClick={log.more}>
        Search further
      </Button>
    </p>
  )
}

function NothingFound({ log, state, filter, onFilter }: LogPanelProps) {
  if (state.pages?.searchedTo != null) return <SearchFurther {...{ log, state }} />
  if (isFiltered(filter)) {
    return (
      <Empty
        icon="search"
        title="No event fits these filters"
        actions={<Button onClick={() => onFilter({ values: {} })}>Clear the filters</Button>}
      >
        Only events that you may read are searched.
      </Empty>
    )
  }
  return (
    <Empty icon="list" title="No events yet">
      You see the events of all projects in which you have the permission READ_EVENTS.
    </Empty>
  )
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The day of the first visible event, and what waits above. It is always there, so that nothing moves when events come. */
function DayLine({ day, zone, state, following, filter, onFilter }: LogPanelProps & { readonly day: Day }) {
  const { pages, fresh } = state
  const { outside, toNewest } = following
  const waiting = fresh.isCut ? `${maxFresh}+ new events` : counted(fresh.events.length, 'new event')
  return (
    <div class="day now flow small">
      <h2>{dayWords(day, { form: 'long' })}</h2>
      <span class="muted">
        in <bdi>{zone}</bdi>
      </span>
      {fresh.events.length > 0 && (
        <Button size="tiny" kind="primary" icon="arrowUp" onClick={toNewest}>
          {waiting}
        </Button>
      )}
      {fresh.events.length === 0 && outside && (
        <Button
          size="tiny"
          icon="arrowUp"
          onClick={() => onFilter(withDays(filter, outside.first, outside.last, zone))}
        >
          {counted(outside.count, 'new event')} on {dayWords(outside.first)}
          {outside.last !== outside.first && ` to ${dayWords(outside.last)}`}, outside this filter
        </Button>
      )}
      {isFiltered(filter) && pages && (
        <span class="end muted">{pages.atLeast ? `${count(pages.total)}+ events` : counted(pages.total, 'event')}</span>
      )}
    </div>
  )
}

/** Another filter begins with its first event, also where one had scrolled below it. */
function useTopOn(log: LogStore, panel: RefObject<HTMLElement | null>): void {
  const before = useRef(log)
  useLayoutEffect(() => {
    if (before.current === log) return
    before.current = log
    const bar = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0
    const top = panel.current?.getBoundingClientRect().top ?? bar
    if (top < bar) window.scrollBy(0, top - bar)
  }, [log, panel])
}

/** When the row that has the focus goes away, the panel has it. */
function useFocusKept(panel: RefObject<HTMLElement | null>) {
  const within = useRef(false)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!within.current || (activeElement !== null && activeElement !== document.body)) return
    within.current = false
    panel.current?.focus({ preventScroll: true })
  })
  const leave = (target: EventTarget | null) => {
    if (target instanceof Node && target.isConnected) within.current = false
  }
  return {
    tabIndex: -1,
    onFocusIn: () => {
      within.current = true
    },
    onFocusOut: ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element) within.current = panel.current?.contains(relatedTarget) === true
      // A press on nothing leaves it; a row that is taken away does not.
      else queueMicrotask(() => leave(target))
    },
  }
}
