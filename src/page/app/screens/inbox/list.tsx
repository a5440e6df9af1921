import { useLayoutEffect, useRef } from 'preact/hooks'
import { Link } from '../../core/places/link'
import { currentLocation, requestPath } from '../../core/places/navigation'
import { useKeys } from '../../core/tools/keys'
import { reachOf } from '../../core/tools/production'
import { useStore } from '../../core/tools/store'
import * as times from '../../core/tools/times'
import { RichText } from '../../parts/changes/rich-text'
import { EnvironmentName } from '../../parts/marks/environment-mark'
import { list } from '../../parts/marks/from'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { Mark } from '../../parts/marks/mark'
import { PersonName, type SomePerson } from '../../parts/marks/person'
import { stateClass, stateIcon } from '../../parts/marks/state-mark'
import { FlagLink } from '../../reviews/flag-link'
import { totalWords } from '../../reviews/needs-me'
import { useCanPropose } from '../../reviews/places'
import { decided } from '../../reviews/walk'
import { listedWords } from '../../words/effects/listed'
import { counted } from '../../words/numbers'
import { ownTitle } from '../../words/request-name'
import type { Entry, Group } from './entries'

interface ListProps {
  readonly groups: readonly Group[]
  /** Further rows are not loaded yet, of any group. */
  readonly isPart: boolean
}

/** The rows in their groups. `j` and `k` move, and a row that goes away gives its focus to the next. */
export function List({ groups, isPart }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  const canPropose = useCanPropose()
  const done = useStore(decided)
  useFocusKept(list)
  useReturn(list)
  useKeys({
    j: { label: 'next', run: () => move(list.current, 1) },
    k: { label: 'previous', run: () => move(list.current, -1) },
  })
  return (
    <>
      {groups.every(({ label }) => label === undefined) && <h2 class="vh">Change requests</h2>}
      <ul ref={list}>
        {groups.flatMap(({ id, label, hint, icon, entries }) => [
          label !== undefined && (
            <li class="group" key={id}>
              {icon && <Icon name={icon} />}
              <h2>{label}</h2>
              <span class="count">
                {totalWords({ count: entries.filter(({ item }) => !done.has(item.id)).length, atLeast: isPart })}
              </span>
              {hint && <small class="muted small">{hint}</small>}
            </li>
          ),
          ...entries.map((entry) => {
            const { id } = entry.item
            const words = done.get(id)
            return words === undefined ? (
              <Row key={id} entry={entry} canPropose={canPropose} />
            ) : (
              <DecidedRow key={id} item={entry.item} words={words} />
            )
          }),
        ])}
      </ul>
    </>
  )
}

/** The ids of the change requests whose rows are in the window. */
export function shownRows(): ReadonlySet<number> {
  const isShown = (link: HTMLElement) => {
    const { top, bottom } = link.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  }
  return new Set(
    linksOf(document)
      .filter(isShown)
      .map(({ dataset }) => Number(dataset.row)),
  )
}

const linksOf = (list: ParentNode | null) => [...(list?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]

function move(list: HTMLElement | null, step: 1 | -1): void {
  const links = linksOf(list)
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step
  links[next]?.focus()
}

/** After each change of the rows the focus is where it was: in the same row, else in the one that took its place. */
function useFocusKept(list: { current: HTMLElement | null }): void {
  const focused = useRef<{ id: string | undefined; at: number }>(undefined)
  useLayoutEffect(() => {
    const { current } = list
    const remember = () => {
      const links = linksOf(current)
      const at = links.indexOf(document.activeElement as HTMLElement)
      focused.current = at < 0 ? undefined : { id: links[at]?.dataset.row, at }
    }
    const forget = (event: FocusEvent) => {
      // Without a next element it was taken away, or the window lost the focus.
      if (event.relatedTarget !== null) focused.current = undefined
    }
    current?.addEventListener('focusin', remember)
    current?.addEventListener('focusout', forget)
    return () => {
      current?.removeEventListener('focusin', remember)
      current?.removeEventListener('focusout', forget)
    }
  }, [list])
  useLayoutEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return
    const { id, at } = focused.current
    const links = linksOf(list.current)
    const next = links.find(({ dataset }) => dataset.row === id) ?? links[Math.min(at, links.length - 1)]
    next?.focus({ preventScroll: true })
  })
}

let opened: number | undefined

/** Keeps which row was opened: going back leads to it. */
export const rememberRow = (id: number): void => {
  opened = id
}

/** After going back, the focus is on the row that was opened. */
export function useReturn(list: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (currentLocation().by !== 'history' || opened === undefined) return
    const row = list.current?.querySelector<HTMLElement>(`a[data-row="${opened}"]`)
    row?.focus({ preventScroll: true })
    opened = undefined
  }, [])
}

interface RowProps {
  readonly entry: Entry
  readonly canPropose: ReturnType<typeof useCanPropose>
}

/** A change request in the inbox; the whole row is its link. */
function Row({ entry, canPropose }: RowProps) {
  const { item, state } = entry
  return (
    <li class="row">
      <span class={stateClass(state)}>
        <Icon name={stateIcon(state)} />
      </span>
      <div class="main">
        <RowTitle item={item} />{' '}
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
        {item.objections !== undefined && item.objections > 0 && (
          <Mark tone="stop" icon="stop">
            {counted(item.objections, 'objection')}
          </Mark>
        )}
        {item.because.includes('requested') && (
          <Mark tone="new" icon="review">
            Asked of you
          </Mark>
        )}
        <MachineMark author={item.author} />
        <Subjects item={item} canPropose={canPropose} />
        {entry.reason !== undefined && (
          <p class="reason small">
            <bdi>{entry.reason}</bdi>
          </p>
        )}
      </div>
      <div class="where soft small">
        <bdi>{item.project}</bdi> · <EnvironmentName name={reachOf(item)} />
      </div>
      <Waits entry={entry} />
      <People author={item.createdBy} approvers={item.approvedBy} />
      <div class="age muted small">
        <time datetime={item.stateSince} title={`${item.state} since ${times.dayAndTime(item.stateSince)}`}>
          {times.age(item.stateSince)}
        </time>
      </div>
    </li>
  )
}

function RowTitle({ item }: Pick<Entry, 'item'>) {
  const { project, id, title } = item
  return (
    <>
      <h3>
        <Link to={requestPath(project, id)} data-row={id} onFollow={() => rememberRow(id)}>
          <bdi>{title}</bdi>
        </Link>
      </h3>
      {ownTitle(item) !== '' && <span class="id">#{id}</span>}
    </>
  )
}

/** One that the viewer decided since the list was read: in its place, in one line. */
function DecidedRow({ item, words }: Pick<Entry, 'item'> & { readonly words: string }) {
  return (
    <li class="row decided">
      <Icon name="check" />
      <div class="main small">
        <RowTitle item={item} /> · {words}
      </div>
    </li>
  )
}

/** At most two flags or segments, in words where they are known; of the others the number. */
function Subjects({ item, canPropose }: Pick<RowProps, 'canPropose'> & { readonly item: Entry['item'] }) {
  const names = [...item.features, ...item.segments]
  const shown = item.effects ?? names.slice(0, 2).map((name) => ({ name, changes: [] }))
  const rest = names.length - shown.length
  return (
    <ul class="words flow soft small">
      {shown.map(({ name, changes }) => (
        <li key={name}>
          {item.features.includes(name) ? (
            <FlagLink project={item.project} environment={item.environment} feature={name} canPropose={canPropose} />
          ) : (
            <bdi class="flag">{name}</bdi>
          )}{' '}
          <RichText words={listedWords(changes)} />
        </li>
      ))}
      {names.length === 0 && <li>no changes yet</li>}
      {rest > 0 && <li>{rest} more</li>}
    </ul>
  )
}

function Waits({ entry: { state, number, todo } }: { readonly entry: Entry }) {
  return (
    <div class="waits soft small">
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
    <div class="people small">
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
