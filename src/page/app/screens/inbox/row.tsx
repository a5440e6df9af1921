import type { EffectView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { reachOf } from '../../core/tools/production'
import * as times from '../../core/tools/times'
import { Said } from '../../parts/changes/said'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { list } from '../../parts/marks/from'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { Mark } from '../../parts/marks/mark'
import { PersonName, type SomePerson } from '../../parts/marks/person'
import { stateClass, stateIcon } from '../../parts/marks/state-mark'
import { type EffectChange, effectWords } from '../../words/effects/effects'
import { fieldsBetween } from '../../words/fields/compared'
import type { JsonObject } from '../../words/json'
import './row.css'
import type { Entry } from './entries'
import { rememberRow } from './return-to-row'

/** A change request in the inbox; the whole row is its link. */
export function Row({ entry }: { readonly entry: Entry }) {
  const { item, state } = entry
  return (
    <li class="row">
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
        {item.conflict && (
          <Mark tone="stop" icon="stop">
            Conflict
          </Mark>
        )}
        {item.overwrites && (
          <Mark tone="care" icon="warn">
            Overwrites
          </Mark>
        )}
        {item.because.includes('requested') && (
          <Mark tone="new" icon="review">
            Asked of you
          </Mark>
        )}
        <MachineMark author={item.author} />
        <Subjects item={item} />
      </div>
      <div class="where">
        <EnvironmentMark name={reachOf(item)} />
        <bdi>{item.project}</bdi>
      </div>
      <Waits entry={entry} />
      <People author={item.createdBy} approvers={item.approvedBy} />
      <div class="age">
        <time datetime={item.stateSince} title={`${item.state} since ${times.dayAndTime(item.stateSince)}`}>
          {times.age(item.stateSince)}
        </time>
      </div>
    </li>
  )
}

/** At most two flags or segments, in words where they are known; of the others the number. */
function Subjects({ item }: { readonly item: Entry['item'] }) {
  const names = [...item.features, ...item.segments]
  const shown = item.effects ?? names.slice(0, 2).map((name) => ({ name, changes: [] }))
  const rest = names.length - shown.length
  return (
    <ul class="words">
      {shown.map(({ name, changes }) => (
        <li key={name}>
          <bdi class="flag">{name}</bdi> <Said words={effectWords(changes.filter(hasContent).map(toEffect))} />
        </li>
      ))}
      {names.length === 0 && <li>no changes yet</li>}
      {rest > 0 && <li>{rest} more</li>}
    </ul>
  )
}

type Change = EffectView['changes'][number]

/** Without both values there is nothing to show. */
const hasContent = ({ before, after }: Change): boolean => before !== null || after !== null

function toEffect(change: Change): EffectChange {
  const { action } = change
  const [before, after] = [change.before, change.after] as [JsonObject | null, JsonObject | null]
  const fields = fieldsBetween(before, after)
  return { id: 0, action, feature: null, conflict: null, before, after, payload: after ?? {}, fields }
}

function Waits({ entry: { state, number, todo } }: { readonly entry: Entry }) {
  return (
    <div class="waits">
      <p>
        <span class={stateClass(state)}>
          <span>{state}</span>
        </span>
        {number !== undefined && ` · ${number}`}
      </p>
      <p class="todo">
        <bdi>{todo}</bdi>
      </p>
    </div>
  )
}

/** The author, and below those who approved. */
function People({ author, approvers }: { readonly author: SomePerson; readonly approvers: readonly SomePerson[] }) {
  const others = [...new Map(approvers.map((one) => [one.id, one])).values()].filter(({ id }) => id !== author.id)
  return (
    <div class="people">
      <p>
        <span class="vh">By </span>
        <PersonName person={author} />
      </p>
      {others.length > 0 && (
        <p class="muted">
          <Icon name="check" />
          <span class="vh">Approved by </span>
          {list(
            others.map((person) => <PersonName key={person.id} person={person} />),
            'and',
          )}
        </p>
      )}
    </div>
  )
}
