import * as times from '../../../core/tools/times'
import { Person, PersonName } from '../../../parts/marks/person'
import { isClosed } from '../../../parts/marks/shown-state'
import { useRequestContext } from '../model/context'

/** Who voted, and who was asked and has not. */
export function Votes() {
  const { latest, me } = useRequestContext()
  const { request, asked, review } = latest
  const counted = new Set(review.requirements.flatMap(({ approvedBy }) => approvedBy.map(({ id }) => id)))
  const voters = new Set([...request.approvals, ...request.rejections].map(({ createdBy }) => createdBy.id))
  const waiting = asked.reviewers.filter(({ id }) => !voters.has(id))
  if (voters.size + waiting.length === 0) return null
  const name = (person: { id: number; username?: string | null }) =>
    person.id === me.id ? 'You' : <PersonName person={person} />
  return (
    <section class="panel side edge" aria-labelledby="votes">
      <h2 id="votes">Votes</h2>
      <ul class="votes">
        {request.approvals.map(({ createdBy, createdAt }) => (
          <li key={`approval ${createdBy.id}`}>
            <Person person={createdBy} approved />
            <span>
              <b>{name(createdBy)}</b> approved
              {!isClosed(review.state) && !counted.has(createdBy.id) && (
                <small class="muted"> · not for what it is now</small>
              )}
            </span>
            <span class="end">{times.dayAndTime(createdAt)}</span>
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
        {waiting.map(({ id, username, name: full, email }) => {
          const person = { id, username: username ?? full ?? email }
          return (
            <li key={`asked ${id}`}>
              <Person person={person} />
              <span>{name(person)}</span>
              <span class="end">{isClosed(review.state) ? 'asked, did not vote' : 'asked, no vote yet'}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
