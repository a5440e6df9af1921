import { Requirements } from '../../../parts/marks/requirement'
import { isClosed } from '../../../parts/marks/state-traits'
import { isMet } from '../../../words/waits'
import { useRequestContext } from '../model/context'
import { offeredStep } from '../model/steps'
import { ApplySteps, EmergencyStep } from './apply'
import { Applying } from './applying'
import { AuthorSteps } from './author'
import { CopyStep, RevertStep } from './closed'
import { OffReason } from './off-reason'
import { OtherSteps } from './others'
import { UnsavedEdits } from './unsaved-edits'
import { Vote } from './vote'
import { Votes } from './votes'

/** What one can do now, who still has to say yes, and who did. */
export function Aside() {
  const { latest, me, nameOf } = useRequestContext()
  const isMine = me.id === latest.request.createdBy.id
  const { review } = latest
  const isGivenUp = isClosed(review.state) && review.state !== 'Applied'
  const names = new Map(
    review.requirements.flatMap(({ from }) => from?.users ?? []).map((id) => [id, nameOf(id) ?? `user ${id}`]),
  )
  const met = review.requirements.filter(isMet).length
  return (
    <aside class="aside" aria-label="Decision and requirements">
      <section class="panel side decide edge" aria-labelledby="decide" id="decide-section" tabIndex={-1}>
        <Heading />
        <OffReason />
        <UnsavedEdits />
        {isMine && <AuthorSteps />}
        <Vote />
        <Applying />
        <ApplySteps />
        <EmergencyStep />
        <RevertStep />
        <CopyStep />
        {!isMine && <AuthorSteps />}
        <OtherSteps />
      </section>
      {review.requirements.length > 0 && !isGivenUp && (
        <section class="panel side edge" aria-labelledby="requirements">
          <h2 id="requirements">
            Requirements{' '}
            <small>
              {met} of {review.requirements.length} met
            </small>
          </h2>
          <Requirements requirements={review.requirements} names={names} />
        </section>
      )}
      <Votes />
    </aside>
  )
}

function Heading() {
  const { latest, me } = useRequestContext()
  const isMine = me.id === latest.request.createdBy.id
  const decides = offeredStep(latest.review, 'approve') !== undefined && !isMine
  return <h2 id="decide">{isMine ? 'You are the author' : decides ? 'Your decision' : 'Steps'}</h2>
}
