import type { FreezeView } from '../../../../../generated'
import { Link } from '../../../core/places/link'
import { requestPath } from '../../../core/places/navigation'
import * as times from '../../../core/tools/times'
import { list } from '../../../parts/marks/from'
import { PersonName } from '../../../parts/marks/person'
import { MissingList } from '../../../parts/messages/missing-list'
import { Notice } from '../../../parts/messages/notice'
import { objectOf } from '../../../words/json'
import { useRequestContext } from '../model/context'
import { needsAcknowledgement, stepOf } from '../model/steps'
import { PresetScheduleNotice } from './preset-schedule-notice'

/** What is out of the ordinary about where it stands, and what to do about it. */
export function Standing() {
  const { latest, events } = useRequestContext()
  const { request, review } = latest
  const schedule = 'schedule' in request ? request.schedule : null
  const reverts = objectOf(events[0]?.data).reverts
  return (
    <>
      {schedule?.status === 'suspended' && (
        <NotRun
          title={`Suspended: will not run on ${times.dayAndTime(schedule.scheduledAt)}`}
          reason={schedule.reason}
          icon="paused"
          tone="care"
        />
      )}
      {schedule?.status === 'failed' && (
        <NotRun
          title={`Failed on ${times.dayAndTime(schedule.scheduledAt)}`}
          reason={schedule.reason}
          icon="warn"
          tone="stop"
        />
      )}
      <Frozen />
      <PresetScheduleNotice />
      {schedule?.status === 'pending' && <WouldNotRun />}
      {review.emergency && <Emergency />}
      {review.state === 'Draft' && (
        <Notice tone="plain" icon="draft" title="A draft.">
          Others find it once you submit it; users who may read the event log see its changes there.
        </Notice>
      )}
      {typeof reverts === 'number' && (
        <p class="reverts">
          Takes back <RequestLink id={reverts} />.
        </p>
      )}
      {review.revertedBy !== null && (
        <Notice tone="plain" icon="undo" title="A revert exists">
          <RequestLink id={review.revertedBy} /> takes this back.
        </Notice>
      )}
    </>
  )
}

function RequestLink({ id }: { readonly id: number }) {
  const { place } = useRequestContext()
  return <Link to={requestPath(place.project, id)}>#{id}</Link>
}

interface NotRunProps {
  readonly title: string
  readonly reason: string
  readonly icon: 'paused' | 'warn'
  readonly tone: 'care' | 'stop'
}

function NotRun({ title, reason, icon, tone }: NotRunProps) {
  return (
    <Notice tone={tone} icon={icon} title={title}>
      <bdi>{reason}</bdi> Nothing was applied.
    </Notice>
  )
}

/** Nothing is applied in a freeze, except in an emergency. */
function Frozen() {
  const { now, scheduled } = useRequestContext().latest.review.freezes
  return (
    <>
      {now.map((freeze) => (
        <Notice key={freeze.name} tone="care" icon="paused" title={`Frozen ${untilWords(freeze)}`}>
          <bdi>{freeze.name}</bdi>: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
      {scheduled.map((freeze) => (
        <Notice
          key={freeze.name}
          tone="care"
          icon="scheduled"
          title={
            freeze.scheduled === 'suspend'
              ? 'A freeze will suspend it at its time'
              : 'It will be applied after a freeze'
          }
        >
          <bdi>{freeze.name}</bdi>, {untilWords(freeze)}: <bdi>{freeze.reason}</bdi>
        </Notice>
      ))}
    </>
  )
}

function untilWords({ until }: FreezeView): string {
  return until === null ? 'without an end yet' : `until ${times.dayAndTime(until)}`
}

const obstacles: ReadonlySet<string | undefined> = new Set(['missing-approvals', 'conflict', 'overwrite'])

/** It is scheduled, and in the current state it would not be applied. */
function WouldNotRun() {
  const { latest } = useRequestContext()
  const missing = stepOf(latest.review, 'apply')?.missing.filter(({ code }) => obstacles.has(code)) ?? []
  if (missing.length === 0) return null
  return (
    <Notice tone="care" icon="paused" title="It would not be applied in the current state">
      <MissingList missing={missing} />
    </Notice>
  )
}

/** Applied without its approvals, until it is acknowledged. */
function Emergency() {
  const { review } = useRequestContext().latest
  const { ended: applied, emergency } = review
  if (!applied || !emergency) return null
  const needsSecondLook = needsAcknowledgement(review)
  const unmet = emergency.missing.map((one) =>
    one.code === 'frozen' ? (
      <>
        the freeze <bdi>{one.name}</bdi>
      </>
    ) : (
      <>
        {one.name === 'minimum' ? 'approvals' : <bdi>{one.name}</bdi>} {one.given} of {one.approvals}
      </>
    ),
  )
  return (
    <Notice
      tone={needsSecondLook ? 'stop' : 'plain'}
      icon="bolt"
      title={
        needsSecondLook
          ? 'Applied without approval: needs acknowledgement'
          : 'It was applied in an emergency and acknowledged'
      }
    >
      Applied by <PersonName person={applied.by} />, {times.dayAndTime(applied.at)}
      {unmet.length > 0 && <>, with {list(unmet, 'and')}</>}: “<bdi>{emergency.reason}</bdi>”
    </Notice>
  )
}
