import { useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import { Json } from '../../../parts/changes/differences'
import { FieldTable } from '../../../parts/changes/field-table'
import { Said } from '../../../parts/changes/said'
import { Button } from '../../../parts/controls/button'
import { Notice } from '../../../parts/messages/notice'
import { count } from '../../../words/numbers'
import { changeRequestOf, pastReview } from './event-facts'
import { type EventRows, eventRows } from './event-rows'

export interface EventBodyProps {
  readonly event: EventView
  readonly id: string
}

/** What an event says: before and after field by field, where it belongs, and all of it as JSON. */
export function EventBody({ event, id }: EventBodyProps) {
  const [asJson, setAsJson] = useState(false)
  const rows = eventRows(event)
  const jsonId = `${id}-json`
  return (
    <div class="event-body" id={id}>
      <PastReviewNotice event={event} />
      {(rows.rows.length > 0 || !pastReview(event)) && <What {...rows} />}
      <dl class="event-meta">
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
  const { id, type, project, tags, ip, groupId, createdAt } = event
  const number = changeRequestOf(event)
  return (
    <>
      <div>
        <dt>Event</dt>
        <dd>
          <Link to={`/log?id=${id}`}>{count(id)}</Link>
        </dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{createdAt.replace('T', ' ').replace('Z', ' UTC')}</dd>
      </div>
      {project != null && number !== undefined && (
        <div>
          <dt>Request</dt>
          <dd>
            <Link to={requestPath(project, number)}>#{number}</Link>
          </dd>
        </div>
      )}
      {groupId && (
        <div>
          <dt>Part of</dt>
          <dd>
            <Link to={`/log?groupId=${encodeURIComponent(groupId)}`}>one apply</Link>
          </dd>
        </div>
      )}
      <div>
        <dt>Type</dt>
        <dd class="mono">{type}</dd>
      </div>
      {tags && tags.length > 0 && (
        <div>
          <dt>Tags</dt>
          <dd>
            <bdi>{tags.map((tag) => `${tag.type}:${tag.value}`).join(', ')}</bdi>
          </dd>
        </div>
      )}
      {ip && (
        <div>
          <dt>Address</dt>
          <dd>{ip}</dd>
        </div>
      )}
    </>
  )
}

/** The data of an event without a previous state. */
function FactList({ rows }: Pick<EventRows, 'rows'>) {
  return (
    <dl class="facts">
      {rows.map(({ key, label, after }) => (
        <div key={key}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <Said words={after.words} />
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
      title={isEmergency ? 'Applied in emergency' : 'Nobody reviewed this'}
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
