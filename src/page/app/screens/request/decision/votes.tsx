import * as times from '../../../core/tools/times'
import { Person, PersonName } from '../../../parts/marks/person'
import { isClosed } from '../../../parts/marks/shown-state'
import { useRequestContext } from '../model/context'

/** Who voted, and which requested approvers have not. */
export function Votes() {
  const { latest, me } = useRequestContext()
  const { request, review } = latest
  const voters = new Set([
    ...review.votes.map(({ person }) => person.id),
    ...request.rejections.map(({ createdBy }) => createdBy.id),
  ])
  const waiting = review.approvers.filter(({ id }) => !voters.has(id))
  if (voters.size + waiting.length === 0) return null
  const name = (person: { id: number; username?: string | null }) =>
    person.id === me.id ? 'You' : <PersonName person={person} />
  return (
    <section class="panel side edge" aria-labelledby="votes">
      <h2 id="votes">Votes</h2>
      <ul class="votes">
        {review.votes.map(({ person, at, current }) => (
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
        {waiting.map((person) => (
          <li key={`requested ${person.id}`}>
            <Person person={person} />
            <span>{name(person)}</span>
            <span class="end">{isClosed(review.state) ? 'requested, did not vote' : 'requested, no vote yet'}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
