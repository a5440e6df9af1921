import { useRef } from 'preact/hooks'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { Said } from '../../parts/changes/said'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { Mark } from '../../parts/marks/mark'
import { Person, type SomePerson } from '../../parts/marks/person'
import { stateClass, stateIcon } from '../../parts/marks/state-mark'
import './row.css'
import { type Details, useDetails } from './details'
import type { Entry } from './entries'
import { rememberRow } from './return-to-row'

/** A change request in the inbox; the whole row is its link. */
export function Row({ entry }: { readonly entry: Entry }) {
  const element = useRef<HTMLLIElement>(null)
  const details = useDetails(entry, element)
  const { item, state } = entry
  return (
    <li class="row" ref={element}>
      <span class={stateClass(state)}>
        <Icon name={stateIcon(state)} />
      </span>
      <div class="main">
        <h3>
          <Link to={requestPath(item.project, item.id)} data-row={item.id} onFollow={() => rememberRow(item.id)}>
            <bdi>{item.title}</bdi>
          </Link>
        </h3>
        {!item.title.endsWith(`#${item.id}`) && <span class="id">#{item.id}</span>}{' '}
        {details?.conflict && (
          <Mark tone="stop" icon="stop">
            Conflict
          </Mark>
        )}
        {details?.overwrites && (
          <Mark tone="care" icon="warn">
            Overwrites
          </Mark>
        )}
        <Subjects entry={entry} details={details} />
      </div>
      <div class="where">
        <EnvironmentMark name={item.environment} />
        <bdi>{item.project}</bdi>
      </div>
      <Waits entry={entry} details={details} />
      <People author={item.createdBy} approvers={details?.approvers ?? []} />
      <div class="age">
        <time datetime={item.stateSince} title={`${item.state} since ${times.dayAndTime(item.stateSince)}`}>
          {times.age(item.stateSince)}
        </time>
      </div>
    </li>
  )
}

type Parts = { readonly entry: Entry; readonly details: Details | undefined }

/** At most two flags or segments, in words where they are known; of the others the number. */
function Subjects({ entry: { item }, details }: Parts) {
  const names = [...item.features, ...item.segments]
  const shown = details?.effects ?? names.slice(0, 2).map((name) => ({ name, words: [] }))
  const rest = names.length - shown.length
  return (
    <ul class="words">
      {shown.map(({ name, words }) => (
        <li key={name}>
          <bdi class="flag">{name}</bdi> <Said words={words} />
        </li>
      ))}
      {names.length === 0 && <li>no changes yet</li>}
      {rest > 0 && <li>{rest === 1 ? '1 more flag' : `${rest} more flags`}</li>}
    </ul>
  )
}

function Waits({ entry: { item, state, number, todo }, details }: Parts) {
  const minimum = details?.requirements?.find(({ name }) => name === 'minimum')
  const known =
    minimum && item.state !== 'Draft' && item.state !== 'Applied' ? `${minimum.given} of ${minimum.approvals}` : number
  return (
    <div class="waits">
      <p>
        <span class={stateClass(state)}>
          <span>{state}</span>
        </span>
        {known !== undefined && ` · ${known}`}
      </p>
      <p class="todo">
        <bdi>{todo}</bdi>
        {details?.by !== undefined && state !== 'Second look needed' && (
          <>
            {' '}
            by <bdi>{details.by}</bdi>
          </>
        )}
      </p>
    </div>
  )
}

/** The author first, then those who approved, with a tick. */
function People({ author, approvers }: { readonly author: SomePerson; readonly approvers: readonly SomePerson[] }) {
  const others = [...new Map(approvers.map((one) => [one.id, one])).values()].filter(({ id }) => id !== author.id)
  return (
    <div class="avs">
      <Person person={author} />
      {others.slice(0, 2).map((person) => (
        <Person key={person.id} person={person} approved />
      ))}
      {others.length > 2 && <span class="small muted">+{others.length - 2}</span>}
    </div>
  )
}
