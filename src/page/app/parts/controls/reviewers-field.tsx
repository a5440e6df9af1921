import { useState } from 'preact/hooks'
import type { ReviewersView } from '../../../../generated'
import { type Loaded, useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { nameOf, PersonName, type SomePerson } from '../marks/person'
import { NotLoaded } from '../messages/load-failed'

/** The maximum that the server accepts. */
export const maxApprovers = 10

/** The users who can approve in an environment. */
export function useReviewers(place: { readonly project: string; readonly environment: string }): Loaded<ReviewersView> {
  const { project, environment } = place
  return useQuery(['reviewers', project, environment], (options) =>
    client.availableReviewers(project, environment, options),
  )
}

interface ReviewersFieldProps {
  readonly environment: string
  /** Not in the list: nobody can approve their own change request. */
  readonly author: number | null
  readonly reviewers: Loaded<ReviewersView>
  /** Those who were asked before stay in the list, even if they can no longer approve. */
  readonly asked?: readonly (SomePerson & { readonly id: number })[]
  readonly chosen: readonly number[]
  readonly onChoose: (ids: readonly number[]) => void
}

/** The requested approvers. */
export function ReviewersField({ environment, author, asked = [], chosen, onChoose, ...props }: ReviewersFieldProps) {
  const [text, setText] = useState('')
  const { reviewers } = props.reviewers.data ?? {}
  const people = new Map([...(reviewers ?? []), ...asked].map((person) => [person.id, person]))
  if (author !== null) people.delete(author)
  const shown = [...people.values()].filter(
    (person) => chosen.includes(person.id) || nameOf(person).toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <>
      <fieldset class="checks">
        <legend>
          Who can approve in <bdi>{environment}</bdi>
        </legend>
        {reviewers && people.size === 0 && 'no other user'}
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
                  onChoose(checked ? [...chosen, person.id] : chosen.filter((id) => id !== person.id))
                }
              />
              <PersonName person={person} />
            </label>
          ))}
        {(props.reviewers.error || !reviewers) && <NotLoaded loaded={props.reviewers} subject="the reviewers" />}
      </fieldset>
      <p class="small" role={chosen.length > maxApprovers ? 'alert' : undefined}>
        At most {maxApprovers}. They stay asked after an edit, and others can still approve.
      </p>
    </>
  )
}
