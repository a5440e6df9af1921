import type { ComponentChildren } from 'preact'
import { useMe } from '../../core/api/session'
import { lazy, PartFallback } from '../../parts/lazy'
import { Person, PersonName, type SomePerson } from '../../parts/marks/person'
import { isClosed } from '../../parts/marks/state'
import { When } from './comment'
import { approvalsOf, stepOf } from './review'
import { Voiding } from './since'
import type { RequestProps } from './use-request'

type VotesProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** The votes, and the requested approvers who have not voted. */
export function Votes(props: VotesProps) {
  const { request, review } = props
  const me = useMe()
  const { approvers, state, voidedApprovals } = review
  const approvals = approvalsOf(review)
  const voided = review.votes.filter((vote) => !approvals.includes(vote))
  const voters = new Set([
    ...approvals.map(({ person }) => person.id),
    ...request.rejections.map(({ createdBy }) => createdBy.id),
  ])
  const waiting = approvers.filter(({ id }) => !voters.has(id))
  if (voters.size + waiting.length + voided.length === 0) return null
  const row = (
    key: string,
    person: SomePerson,
    text: ComponentChildren,
    end: ComponentChildren,
    approved?: boolean,
  ) => (
    <li key={`${key} ${person.id}`}>
      <Person person={person} approved={approved} />
      <span>
        <b>{person.id === me.id ? 'You' : <PersonName person={person} />}</b> {text}
      </span>
      <span class="end muted">{end}</span>
    </li>
  )
  return (
    <section class="panel side edge" aria-labelledby="votes">
      <h2 id="votes">Votes</h2>
      <ul class="votes">
        {approvals.map(({ person, at, current }) => {
          const note = !isClosed(state) && !current && <small class="muted"> · no longer counts</small>
          return row('approval', person, <>approved{note}</>, <When at={at} />, true)
        })}
        {request.rejections.map(({ createdBy, createdAt }) =>
          row('rejection', createdBy, 'rejected', <When at={createdAt} />),
        )}
        {voided.map(({ person, at }) => {
          const cause = voidedApprovals.findLast(({ by, causedBy }) => by.id === person.id && causedBy !== null)
          const note = cause && (
            <small class="muted">
              {' · '}
              <Voiding {...cause} />
            </small>
          )
          return row('voided', person, <>approved{note}</>, <When at={at} />)
        })}
        {waiting.map((person) =>
          row('requested', person, '', isClosed(state) ? 'asked, did not vote' : 'asked, no vote yet'),
        )}
      </ul>
      {stepOf(review, 'takeBackApproval') && approvals.some(({ person }) => person.id === me.id) && (
        <TakeBackStep {...props} />
      )}
    </section>
  )
}

const TakeBackStep = lazy(async () => (await import('./objections')).TakeBackStep, PartFallback)
