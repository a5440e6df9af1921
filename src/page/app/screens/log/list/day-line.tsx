import { Button } from '../../../parts/controls/button'
import { count, counted } from '../../../words/numbers'
import { type Day, dayWords } from '../plot/days'
import { isFiltered, type ShownFilter, withDays } from '../search/filter'
import { maxFresh } from './log-pages'
import type { LogState } from './log-store'
import type { Following } from './use-following'

interface DayLineProps {
  readonly day: Day
  readonly zone: string
  readonly state: LogState
  readonly filter: ShownFilter
  readonly following: Following
  readonly onFilter: (filter: ShownFilter) => void
}

/** The day of the first event in sight, and what waits above. It is always there, so that nothing moves when events come. */
export function DayLine({ day, zone, state, following, filter, onFilter }: DayLineProps) {
  const { pages, fresh } = state
  const { outside, toNewest } = following
  const waiting = fresh.isCut ? `${maxFresh}+ new events` : counted(fresh.events.length, 'new event')
  return (
    <div class="day now">
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
        <span class="end">{pages.atLeast ? `${count(pages.total)}+ events` : counted(pages.total, 'event')}</span>
      )}
    </div>
  )
}
