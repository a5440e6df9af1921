import { useId } from 'preact/hooks'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { percentAt } from '../../core/tools/moments'
import * as times from '../../core/tools/times'
import { RichText } from '../../parts/changes/rich-text'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { RequestName } from '../../parts/marks/request-name'
import { StateMark, stateClass, stateIcon } from '../../parts/marks/state-mark'
import { counted } from '../../words/numbers'
import { isEnforced, onTrial } from '../../words/waits'
import { type Entry, type FrozenTime, type Lane, type Position, positionsOf } from './lanes'
import type { Weeks } from './weeks'

interface LaneProps {
  readonly lane: Lane
  readonly weeks: Weeks
  readonly now: number
}

/** The schedules and freezes of an environment: as a time line, and in words. */
export function LaneSection(props: LaneProps) {
  const { project, environment, entries, freezes } = props.lane
  const id = useId()
  const positions = positionsOf(entries, props.weeks)
  const leftOut = entries.length - positions.length
  const items = [
    ...entries.map((entry) => ({ at: entry.at, item: <EntryItem key={entry.row.id} entry={entry} /> })),
    ...freezes.map((frozen) => ({
      at: frozen.from,
      item: <FreezeItem key={`freeze ${frozen.freeze.name}`} frozen={frozen} />,
    })),
  ]
  return (
    <section class="panel lane edge" aria-labelledby={id}>
      <h2 class="flow" id={id}>
        <PlaceMark project={project} name={environment} />
      </h2>
      <TimeLine {...props} positions={positions} />
      {leftOut > 0 && <p class="left-out soft small">{counted(leftOut, 'more schedule')} in the list below.</p>}
      <ol class="lines">{items.sort((one, other) => one.at - other.at).map(({ item }) => item)}</ol>
    </section>
  )
}

function EntryItem({ entry: { row, at, state, note } }: { readonly entry: Entry }) {
  return (
    <li class="plan">
      <time class="small" datetime={new Date(at).toISOString()}>
        {times.dayAndTime(at)}
      </time>
      <StateMark state={state} />
      <div>
        <Link to={requestPath(row.project, row.id)}>
          <RequestName {...row} />
        </Link>{' '}
        <span class="soft small">
          {[...row.features, ...row.segments].map((name) => (
            <>
              <bdi class="flag">{name}</bdi>{' '}
            </>
          ))}
        </span>
        <p class="soft small">
          {row.follows !== undefined && `after #${row.follows}${note.length === 0 ? '' : ' · '}`}
          <RichText words={note} />
        </p>
      </div>
    </li>
  )
}

function FreezeItem({ frozen: { freeze } }: { readonly frozen: FrozenTime }) {
  return (
    <li class="plan">
      <time class="small" datetime={freeze.from}>
        {times.dayAndTime(freeze.from)}
      </time>
      <span class="state s-cancelled">
        <Icon name="lock" />
        <span>Freeze</span>
      </span>
      <div>
        <bdi>{freeze.name}</bdi> (<bdi>{freeze.reason}</bdi>){!isEnforced(freeze) && `: ${onTrial}`}
        <p class="soft small">
          {freeze.until === null ? 'no end yet' : `until ${times.dayAndTime(freeze.until)}`}
          {freeze.when?.features && (
            <>
              , for <bdi>{freeze.when.features.join(', ')}</bdi>
            </>
          )}
        </p>
      </div>
    </li>
  )
}

interface TimeLineProps extends LaneProps {
  readonly positions: readonly Position[]
}

/** What the list says, by time. Its links are those of the list, so they are no tab stops, and it is not read out. */
function TimeLine({ lane: { freezes }, weeks, now, positions }: TimeLineProps) {
  const placed = new Map(positions.map((one) => [one.entry.row.id, one]))
  const rows = Math.max(1, ...positions.map(({ row }) => row + 1))
  const top = (row: number) => `${((row + 0.5) / rows) * 100}%`
  const at = (moment: number) => `${percentAt(weeks, moment)}%`
  return (
    <div class="time-line" aria-hidden="true" style={{ '--rows': rows }}>
      {weeks.weekends.map(({ day, left, width }) => (
        <i key={day} class="weekend" style={{ left: `${left}%`, width: `${width}%` }} />
      ))}
      {weeks.starts.map(({ day, left }) => (
        <span key={day} class="week-start muted small" style={{ left: `${left}%` }}>
          {times.dated(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })}
        </span>
      ))}
      {freezes.map(({ freeze, from, until }) => {
        const width = percentAt(weeks, until) - percentAt(weeks, from)
        return (
          <span key={freeze.name} class="freeze small" style={{ left: at(from), width: `${width}%` }}>
            <bdi>{freeze.name}</bdi>
          </span>
        )
      })}
      <div class="marks">
        <svg class="chains" aria-hidden="true">
          {positions.map(({ entry: { row }, ...end }) => {
            const start = placed.get(row.follows ?? 0)
            if (start === undefined) return null
            return <line key={row.id} x1={`${start.left}%`} y1={top(start.row)} x2={`${end.left}%`} y2={top(end.row)} />
          })}
        </svg>
        {positions.map(({ entry: { row, state }, left, row: line }) => (
          <Link
            key={row.id}
            class={`${stateClass(state)} small`}
            to={requestPath(row.project, row.id)}
            tabIndex={-1}
            style={{ left: `${left}%`, top: top(line) }}
          >
            <Icon name={stateIcon(state)} />#{row.id}
          </Link>
        ))}
      </div>
      {now >= weeks.from && now < weeks.to && (
        <span class="now-mark small" style={{ left: at(now) }}>
          now
        </span>
      )}
    </div>
  )
}
