import { phaseOf } from '../../../../../domain/lifecycle'
import * as times from '../../../core/tools/times'
import { Button } from '../../../parts/controls/button'
import { Person, PersonName } from '../../../parts/marks/person'
import { isClosed } from '../../../parts/marks/state-traits'
import { useRequestContext } from '../model/context'
import { approvalsOf } from '../model/people'
import { isAllowed } from '../model/steps'

/** Who voted, and which requested approvers have not. */
export function Votes() {
  const { latest, later, me, off, open } = useRequestContext()
  const { request, review } = latest
  const approvals = approvalsOf(latest)
  const voters = new Set([
    ...approvals.map(({ person }) => person.id),
    ...request.rejections.map(({ createdBy }) => createdBy.id),
  ])
  const waiting = review.approvers.filter(({ id }) => !voters.has(id))
  const isMine = me.id === request.createdBy.id
  // The author and admins can ask, and nobody once it is approved.
  const isAskable = ['draft', 'review'].includes(phaseOf(review.state)) && (isMine || isAllowed(review, 'cancel'))
  if (voters.size + waiting.length + review.votes.length === 0 && !isAskable) return null
  const name = (person: { id: number; username?: string | null }) =>
    person.id === me.id ? 'You' : <PersonName person={person} />
  return (
    <section class="panel side edge" aria-labelledby="votes">
      <h2 id="votes">Votes</h2>
      <ul class="votes">
        {approvals.map(({ person, at, current }) => (
          <li key={`approval ${person.id}`}>
            <Person person={person} approved />
            <span>
              <b>{name(person)}</b> approved
              {!isClosed(review.state) && !current && <small class="muted"> · no longer counts</small>}
            </span>
            <span class="end">{times.dayAndTime(at)}</span>
          </li>
        ))}
        {request.rejections.map(({ createdBy, createdAt }) => (
          <li key={`rejection ${createdBy.id}`}>
            <Person person={createdBy} />
            <span>
              <b>{name(createdBy)}</b> rejected
            </span>
            <span class="end">{times.dayAndTime(createdAt)}</span>
          </li>
        ))}
        {later && <later.VoidedVotes />}
        {waiting.map((person) => (
          <li key={`requested ${person.id}`}>
            <Person person={person} />
            <span>{name(person)}</span>
            <span class="end">{isClosed(review.state) ? 'asked, did not vote' : 'asked, no vote yet'}</span>
          </li>
        ))}
      </ul>
      {isAskable && (
        <Button size="tiny" icon="review" off={off !== null} onClick={() => open('askReviewers')}>
          Ask reviewers…
        </Button>
      )}
    </section>
  )
}
