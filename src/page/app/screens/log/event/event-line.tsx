import type { EventView } from '../../../../../generated'
import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import * as times from '../../../core/tools/times'
import { RichText } from '../../../parts/changes/rich-text'
import { EnvironmentName } from '../../../parts/marks/environment-mark'
import { eventIcon } from '../../../parts/marks/event-icon'
import { Icon } from '../../../parts/marks/icon'
import { MachineMark, machineIn } from '../../../parts/marks/machine-mark'
import { changeWords } from '../../../words/changes'
import { changeRequestOf, type PastReview, pastReview, proposedChange } from './event-facts'
import { differenceWords, eventRows, strategyTitle } from './event-rows'
import { longestText, sentencePieces, shortened } from './sentence'
import { typeWords } from './type-words'

interface EventLineProps {
  readonly event: EventView
  /** The zone of all times. */
  readonly zone: string
  /** What the person who did it is called. */
  readonly actor: string
  /** Whether the project is named: it is not where all events are of one. */
  readonly withProject: boolean
  readonly open: boolean
  readonly bodyId: string
  readonly onToggle: () => void
}

/** One event in a line: when, who did what, where. */
export function EventLine({ event, zone, actor, withProject, open, bodyId, onToggle }: EventLineProps) {
  const { type, environment, project, createdAt } = event
  const time = times.time(createdAt, zone)
  const past = pastReview(event)
  const machine = machineIn(event)
  // The sentence names all environments.
  const isOfSegment = proposedChange(event)?.segmentId !== undefined
  const words = past?.kind === 'emergency' ? 'Applied in emergency' : typeWords(type)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same; the line is only a larger target.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <div class="ev-line" onClick={(clicked) => isPlain(clicked) && onToggle()}>
      <button
        class="chev"
        type="button"
        aria-expanded={open}
        aria-controls={bodyId}
        aria-label={`What changed, ${words}, ${time}`}
        onClick={onToggle}
      >
        <Icon name="chevronRight" class="fold" />
      </button>
      <time class="muted small" dateTime={createdAt} title={createdAt}>
        {time}
      </time>
      <Icon name={eventIcon(event)} class="kind" />
      <p class="sentence">
        <Sentence event={event} zone={zone} actor={actor} />
        {machine && <MachineMark author={machine} />}
        {past && <Past past={past} />}
        {withProject && project != null && (
          <span class="muted">
            {' '}
            in <bdi>{shortened(project)}</bdi>
          </span>
        )}
      </p>
      <span class="slot soft small">
        {environment != null && !isOfSegment && <EnvironmentName name={environment} />}
      </span>
      <span class={past?.kind === 'emergency' ? 'type small stop' : 'type muted small'}>{words}</span>
    </div>
  )
}

function Past({ past: { kind, reason } }: { readonly past: PastReview }) {
  return (
    <>
      {' '}
      <b class="past">{kind === 'emergency' ? 'in emergency' : 'without review'}</b>
      {reason !== '' && (
        <>
          : “<bdi>{shortened(reason, longestText)}</bdi>”
        </>
      )}
    </>
  )
}

function Sentence({ event, zone, actor }: Pick<EventLineProps, 'event' | 'zone' | 'actor'>) {
  const { project } = event
  const number = changeRequestOf(event)
  const difference = differenceWords(eventRows(event))
  const strategy = strategyTitle(event)
  return (
    <>
      {sentencePieces(event, actor).map(({ kind, text }, index) => {
        if (kind === 'text') return <bdi key={index}>{[shortened(withTimes(event, zone, text), longestText)]}</bdi>
        if (kind === 'strong' || project == null || number === undefined || text !== `#${number}`)
          return (
            <bdi key={index} class="strong">
              {shortened(text)}
            </bdi>
          )
        return (
          <Link key={index} to={requestPath(project, number)}>
            {text}
          </Link>
        )
      })}
      <OneChange event={event} />
      {strategy && <bdi>{`: ${shortened(strategy)}`}</bdi>}
      {difference && (
        <>
          {proposedChange(event) ? ', ' : ': '}
          <RichText words={difference} />
        </>
      )}
    </>
  )
}

/** The time of a schedule in the zone of the log; the sentence has it in UTC. */
function withTimes({ data }: EventView, zone: string, text: string): string {
  const date = data?.scheduledDate
  return typeof date === 'string' && Date.parse(date) > 0 ? text.replace(date, times.dayAndTime(date, zone)) : text
}

/** The change that came into a request, or left it: `: strategy “Nordics” added`. */
function OneChange({ event }: Pick<EventLineProps, 'event'>) {
  const { action, payload } = proposedChange(event) ?? {}
  if (typeof action !== 'string') return null
  const { what, how } = changeWords({ action, payload })
  return <bdi>{shortened(`: ${what.charAt(0).toLowerCase()}${what.slice(1)} ${how}`.trimEnd(), 100)}</bdi>
}

/** A press on a link, a button or a marked text is not one on the line. */
function isPlain({ target }: MouseEvent): boolean {
  if (target instanceof Element && target.closest('a, button') !== null) return false
  return window.getSelection()?.isCollapsed !== false
}
