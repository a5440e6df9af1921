import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../../../parts/controls/button'
import { usePrinting } from '../../../../parts/printing'
import { groupTargets, type TargetGroup } from '../../../../words/content/groups'
import type { TargetItem } from '../../../../words/content/items'
import { useRequestContext } from '../../model/context'
import { changeId, targetId, unfolding } from '../places'

/** What of many changes is unfolded, by the keys of groups and of their flags. */
export interface Folds {
  isOpen(key: string): boolean
  fold(key: string, open: boolean): void
  /** How many rows of a group or flag are shown; the list of all groups has the key ''. */
  shown(key: string): number
  more(key: string): void
  readonly isAllOpen: boolean
  toggleAll(): void
}

/** A list begins with this many rows, and each press shows as many more. */
const step = 25

/** The maximum number of changes that are unfolded at first. */
const maxUnfolded = 10

/** The number of flags that "Expand all" unfolds in one task, to keep it short. */
const slice = 4

export function useFolds(groups: readonly TargetGroup[], clearFilter: () => void): Folds {
  const { targets } = useRequestContext().content
  const isPrinting = usePrinting()
  const [begin] = useState(() => unfoldedAtFirst(groups))
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [rows, setRows] = useState<ReadonlyMap<string, number>>(new Map())
  /** How many flags "Expand all" has unfolded by now. */
  const [all, setAll] = useState(0)
  const wanted = useRef<string>(undefined)
  const places = new Map<string, number>()
  for (const { key, targets } of groups) {
    places.set(key, places.size)
    for (const target of targets) places.set(target.key, places.size)
  }
  useEffect(() => {
    if (all === 0 || all >= places.size) return
    const timer = setTimeout(() => setAll(all + slice))
    return () => clearTimeout(timer)
  }, [all, places.size])
  useLayoutEffect(() => {
    const id = wanted.current
    wanted.current = undefined
    const element = id && document.getElementById(id)
    if (!element) return
    element.scrollIntoView({ block: 'start' })
    element.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    unfolding.current = (id) => {
      for (const [at, group] of groupTargets(targets).entries()) {
        for (const [place, target] of group.targets.entries()) {
          const index = target.changes.findIndex((change) => changeId(change.id) === id)
          if (index < 0 && targetId(target) !== id) continue
          const needed = [
            ['', at],
            [group.key, place],
            [target.key, index],
          ] as const
          setRows(
            (rows) =>
              new Map([
                ...rows,
                ...needed.map(([key, last]) => [key, Math.max(rows.get(key) ?? step, last + 1)] as const),
              ]),
          )
          setOpened((opened) => new Map([...opened, [group.key, true], [target.key, true]]))
          clearFilter()
          wanted.current = id
          return true
        }
      }
      return false
    }
    return () => {
      unfolding.current = undefined
    }
  }, [targets])
  return {
    isOpen: (key) => isPrinting || (opened.get(key) ?? (all > 0 ? (places.get(key) ?? 0) < all : begin.has(key))),
    fold: (key, open) => setOpened((opened) => new Map([...opened, [key, open]])),
    shown: (key) => (isPrinting ? Number.POSITIVE_INFINITY : Math.max(rows.get(key) ?? step, all)),
    more: (key) => setRows((rows) => new Map([...rows, [key, (rows.get(key) ?? step) + step]])),
    isAllOpen: all > 0,
    toggleAll() {
      setOpened(new Map(all > 0 ? [...begin].map((key) => [key, false]) : []))
      setAll(all > 0 ? 0 : slice)
    },
  }
}

/** What stands alone: first what needs a look, and as much as there is room for. */
function unfoldedAtFirst(groups: readonly TargetGroup[]): ReadonlySet<string> {
  let room = maxUnfolded
  const found = new Set<string>()
  const alone = groups.flatMap(({ targets }) => (targets.length === 1 ? targets : []))
  const urgent = ({ changes }: TargetItem) =>
    changes.some(({ conflict, fields }) => conflict !== null || fields.some(({ overwrites }) => overwrites))
  for (const target of alone.sort((one, other) => Number(urgent(other)) - Number(urgent(one)))) {
    room -= target.changes.length
    if (room >= 0 || found.size === 0) found.add(target.key)
  }
  return found
}

interface MoreProps {
  /** The key of the list. */
  readonly of: string
  readonly total: number
  readonly folds: Folds
}

/** Shows more rows, and moves the focus to the first of them. */
export function More({ of, total, folds }: MoreProps) {
  const left = total - folds.shown(of)
  if (left <= 0) return null
  return (
    <p class="more-changes">
      <Button
        onClick={({ currentTarget }) => {
          const last = currentTarget.parentElement?.previousElementSibling
          folds.more(of)
          requestAnimationFrame(() => (last?.nextElementSibling as HTMLElement | null)?.focus())
        }}
      >{`Show ${Math.min(left, step)} more of ${left}`}</Button>
    </p>
  )
}
