import { useEffect, useMemo, useState } from 'preact/hooks'
import { setQuery, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { useKeys } from '../../core/tools/keys'
import { addDays, type Day, dayIn } from '../../core/tools/local-time'
import { offsetWords, zoneWords } from '../../core/tools/moments'
import * as times from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { KeysLine } from '../../parts/controls/keys-line'
import { Icon } from '../../parts/marks/icon'
import { LoadFailed } from '../../parts/messages/load-failed'
import { Empty, Loading, Notice } from '../../parts/messages/notice'
import { useSettings } from '../../reviews/projects'
import { count } from '../../words/numbers'
import { Filter } from './filter'
import { LaneSection } from './lane-section'
import { placeKey, toLanes } from './lanes'
import { maxPlaces, maxSchedules, useFreezesOf, useSchedules } from './use-schedules'
import { firstDay, type Weeks, weeksFrom } from './weeks'
import './schedule.css'

/** What is applied in the next four weeks, and when nothing is, in each environment. */
export function Schedule() {
  const { query } = useLocation()
  const now = useNow()
  const first = firstDay(query, now)
  const weeks = useMemo(() => weeksFrom(first), [first])
  const filters = { project: query.get('project') || undefined, feature: query.get('feature') || undefined }
  const loaded = useSchedules(weeks, filters, weeks.from <= now && now < weeks.to)
  const rows = loaded.data?.rows ?? []
  const settings = useSettings(filters.project ?? '')
  const chosen = (settings.data ?? []).map(({ environment }) => ({ project: filters.project ?? '', environment }))
  const places = [...new Map([...rows, ...chosen].map((one) => [placeKey(one), one])).values()]
  const freezes = useFreezesOf(places)
  const lanes = toLanes(rows, chosen, freezes.data ?? new Map(), weeks, now)
  return (
    <>
      <div class="page-head">
        <PageTitle title="Schedule" />
        <WeekPicker weeks={weeks} today={dayIn(times.zone, now)} />
      </div>
      <Filter filters={filters} rows={rows} />
      <p class="soft small zone-line">
        Your time zone: <b>{zoneWords(weeks.from)}</b>
        {offsetWords(weeks.from) !== offsetWords(weeks.to) && `, later ${offsetWords(weeks.to)}: the clocks change`}
      </p>
      <div class="stack">
        {loaded.error !== undefined && <LoadFailed loaded={loaded} subject="the schedules" />}
        {freezes.error !== undefined && <LoadFailed loaded={freezes} subject="the freezes" />}
        {loaded.data?.isPart && (
          <Notice tone="care" icon="warn" title={`Only ${count(maxSchedules)} schedules are shown`}>
            There are more. Filter by project or flag to see them.
          </Notice>
        )}
        {places.length > maxPlaces && (
          <Notice tone="care" icon="warn" title={`The freezes of ${count(maxPlaces)} environments are shown`}>
            There are {count(places.length)}. Filter by project or flag to see the others.
          </Notice>
        )}
        {loaded.data === undefined && loaded.error === undefined && <Loading subject="schedules" />}
        {lanes.map((lane) => (
          <LaneSection key={lane.key} {...{ lane, weeks, now }} />
        ))}
        {loaded.data !== undefined && lanes.length === 0 && <Nothing isFiltered={query.size > 0} />}
      </div>
      <KeysLine keys={{ '[ ]': 'week before, after', f: 'filter', '?': 'all keys' }} />
    </>
  )
}

/** The time, twice a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The time that is shown, and the way to another week. */
function WeekPicker({ weeks: { first, last }, today }: { readonly weeks: Weeks; readonly today: Day }) {
  const show = (day: Day) => setQuery({ from: day === today ? undefined : day })
  const [before, after] = [addDays(first, -7), addDays(first, 7)]
  useKeys({
    '[': { label: 'week before', run: () => show(before) },
    ']': { label: 'week after', run: () => show(after) },
  })
  return (
    <div class="end flow week-picker">
      <Button kind="quiet" class="icon-btn" aria-label="Week before" onClick={() => show(before)}>
        <Icon name="chevronLeft" />
      </Button>
      <b class="small" role="status">
        {times.dated(first, dayForm)} – {times.dated(last, dayForm)}
      </b>
      <Button kind="quiet" class="icon-btn" aria-label="Week after" onClick={() => show(after)}>
        <Icon name="chevronRight" />
      </Button>
      <Button off={first === today} onClick={() => show(today)}>
        Today
      </Button>
    </div>
  )
}

const dayForm = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const clear = (
    <Button onClick={() => setQuery({ from: undefined, project: undefined, feature: undefined })}>Show all</Button>
  )
  return (
    <section class="panel edge">
      <Empty icon="scheduled" title="Nothing is scheduled in these four weeks" actions={isFiltered && clear}>
        An approved change request has “Schedule…” on its screen.
      </Empty>
    </section>
  )
}
