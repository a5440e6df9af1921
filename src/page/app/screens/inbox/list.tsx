import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../core/tools/keys'
import { Icon } from '../../parts/marks/icon'
import { totalWords } from '../../reviews/needs-me'
import type { Group } from './entries'
import { useReturn } from './return-to-row'
import { Row } from './row'

interface ListProps {
  readonly groups: readonly Group[]
  /** Further rows are not loaded yet, of any group. */
  readonly isPart: boolean
}

/** The rows in their groups. `j` and `k` move, and a row that goes away gives its focus to the next. */
export function List({ groups, isPart }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
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
              <span class="count">{totalWords({ count: entries.length, atLeast: isPart })}</span>
              {hint && <small>{hint}</small>}
            </li>
          ),
          ...entries.map((entry) => <Row key={entry.item.id} entry={entry} />),
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
