import { useState } from 'preact/hooks'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import { nameOf, PersonName } from '../../../parts/marks/person'
import { LoadFailed } from '../../../parts/messages/load-failed'
import { Loading } from '../../../parts/messages/notice'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
import { type DialogProps, StepDialog } from './frame'

/** As many as the server accepts. */
const maxApprovers = 10

/** Chooses the requested approvers. Anyone else who can approve still can. */
export function AskReviewersDialog({ onClose }: DialogProps) {
  const { latest, place } = useRequestContext()
  const { environment, createdBy } = latest.request
  const asked = latest.review.approvers
  const [chosen, setChosen] = useState<readonly number[]>(asked.map(({ id }) => id))
  const [text, setText] = useState('')
  const loaded = useLoaded(`reviewers ${place.project} ${environment}`, (options) =>
    client.availableReviewers(place.project, environment, options),
  )
  const step = useStep({
    run: (_context, write) => client.setApprovers(place, [...chosen], write),
    said: 'The reviewers were asked.',
    isDone: ({ review: { approvers } }) =>
      approvers.length === chosen.length && approvers.every(({ id }) => chosen.includes(id)),
    onDone: onClose,
  })
  // Those who were asked before stay in the list, even if they can no longer approve.
  const { reviewers } = loaded.data ?? {}
  const people = new Map([...(reviewers ?? []), ...asked].map((person) => [person.id, person]))
  people.delete(createdBy.id)
  const shown = [...people.values()].filter(
    (person) => chosen.includes(person.id) || nameOf(person).toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <StepDialog
      title="Ask reviewers"
      words="Save"
      busy="Saving…"
      icon="review"
      leave="Leave it"
      step={step}
      onSubmit={() => step.press()}
      isReady={reviewers !== undefined && chosen.length <= maxApprovers}
      what="ask reviewers"
      onClose={onClose}
    >
      <fieldset class="checks">
        <legend>
          Who can approve in <bdi>{environment}</bdi>
        </legend>
        {reviewers && people.size === 0 && 'nobody else'}
        {reviewers && people.size > maxApprovers && (
          <input
            class="input"
            type="search"
            aria-label="Search people"
            placeholder="Search people"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {reviewers &&
          shown.map((person) => (
            <label key={person.id} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(person.id)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, person.id] : chosen.filter((id) => id !== person.id))
                }
              />
              <PersonName person={person} />
            </label>
          ))}
        {loaded.error !== undefined && <LoadFailed loaded={loaded} what="the reviewers" />}
        {reviewers === undefined && loaded.error === undefined && <Loading what="the reviewers" />}
      </fieldset>
      <p class="small" role={chosen.length > maxApprovers ? 'alert' : undefined}>
        At most {maxApprovers}. They stay asked after an edit, and others can still approve.
      </p>
    </StepDialog>
  )
}
