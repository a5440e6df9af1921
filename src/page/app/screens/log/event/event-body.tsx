import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import { FieldTable } from '../../../parts/changes/field-table'
import { Json } from '../../../parts/changes/json'
import { RichText } from '../../../parts/changes/rich-text'
import { Button } from '../../../parts/controls/button'
import { Notice } from '../../../parts/messages/notice'
import { FlagLink } from '../../../reviews/flag-link'
import { useCanPropose } from '../../../reviews/places'
import { count } from '../../../words/numbers'
import { appliedRows } from './applied-rows'
import { changeRequestOf, pastReview } from './event-facts'
import { type EventRows, eventRows } from './event-rows'

export interface EventBodyProps {
  readonly event: EventView
  readonly id: string
}

/** What an event says: before and after field by field, where it belongs, and all of it as JSON. */
export function EventBody({ event, id }: EventBodyProps) {
  const [asJson, setAsJson] = useState(false)
  const rows = event.type === 'change-request-applied' ? appliedRows(event) : eventRows(event)
  const jsonId = `${id}-json`
  return (
    <div class="event-body" id={id}>
      <PastReviewNotice event={event} />
      {(rows.rows.length > 0 || !pastReview(event)) && <What {...rows} />}
      <dl class="event-meta flow soft small">
        <Facts event={event} />
        <div class="end">
          <dt class="vh">All of it</dt>
          <dd>
            <Button
              size="tiny"
              icon="braces"
              aria-expanded={asJson}
              aria-controls={jsonId}
              onClick={() => setAsJson(!asJson)}
            >
              JSON
            </Button>
          </dd>
        </div>
      </dl>
      <div id={jsonId}>{asJson && <EventJson event={event} />}</div>
    </div>
  )
}

function What({ rows, isDifference }: EventRows) {
  if (rows.length === 0) return <p class="muted">This event has no further data.</p>
  return isDifference ? (
    <FieldTable rows={rows} now="Before" after="After" short={['before', 'after']} />
  ) : (
    <FactList rows={rows} />
  )
}

/** The state before and after line by line; of an event without them, the event itself. */
function EventJson({ event }: Pick<EventBodyProps, 'event'>) {
  const { data, preData } = event
  if (data != null && preData != null) return <Json label="JSON before and after" value={data} before={preData} />
  return <Json label="JSON of this event" value={event} />
}

function Facts({ event }: Pick<EventBodyProps, 'event'>) {
  const { id, type, project, environment, featureName, tags, ip, groupId, createdAt } = event
  const number = changeRequestOf(event)
  const canPropose = useCanPropose()
  return (
    <>
      <Fact label="Event">
        <Link to={`/log?id=${id}`}>{count(id)}</Link>
      </Fact>
      <Fact label="Time">{createdAt.replace('T', ' ').replace('Z', ' UTC')}</Fact>
      {project != null && featureName != null && (
        <Fact label="Flag">
          <FlagLink {...{ project, canPropose }} environment={environment ?? undefined} feature={featureName} />
        </Fact>
      )}
      {project != null && number !== undefined && (
        <Fact label="Request">
          <Link to={requestPath(project, number)}>#{number}</Link>
        </Fact>
      )}
      {groupId && (
        <Fact label="Part of">
          <Link to={`/log?groupId=${encodeURIComponent(groupId)}`}>one apply</Link>
        </Fact>
      )}
      <Fact label="Type">
        <span class="mono">{type}</span>
      </Fact>
      {tags && tags.length > 0 && (
        <Fact label="Tags">
          <bdi>{tags.map((tag) => `${tag.type}:${tag.value}`).join(', ')}</bdi>
        </Fact>
      )}
      {ip && <Fact label="Address">{ip}</Fact>}
    </>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The data of an event without a previous state. */
function FactList({ rows }: Pick<EventRows, 'rows'>) {
  return (
    <dl class="facts lines">
      {rows.map(({ key, label, after }) => (
        <div key={key}>
          <dt class="soft">
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <RichText words={after.words} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Why an event got past the review, and what was missing then; nothing for what was reviewed. */
function PastReviewNotice({ event }: { readonly event: EventView }) {
  const past = pastReview(event)
  if (past === undefined) return null
  const isEmergency = past.kind === 'emergency'
  return (
    <Notice
      tone={isEmergency ? 'stop' : 'care'}
      icon={isEmergency ? 'bolt' : 'warn'}
      title={isEmergency ? 'Applied in emergency' : 'No user reviewed this'}
    >
      <bdi>{past.reason === '' ? 'No reason was given.' : `“${past.reason}”`}</bdi>
      {past.missing.length > 0 && (
        <p>
          Missing: <bdi>{past.missing.join('; ')}</bdi>
        </p>
      )}
    </Notice>
  )
}
