import { useEffect, useMemo, useState } from 'preact/hooks'
import { ChangedMark } from '../../parts/changes/field-table'
import { RichText } from '../../parts/changes/rich-text'
import { EffectMarks } from '../../parts/changes/warning-marks'
import { Button } from '../../parts/controls/button'
import { Search } from '../../parts/controls/search'
import { Mark } from '../../parts/marks/mark'
import { usePrinting } from '../../parts/printing'
import { filterTargets, groupTargets, groupWords, type TargetGroup } from '../../words/content/groups'
import type { TargetItem } from '../../words/content/items'
import { effectWords } from '../../words/effects/effects'
import { count, counted } from '../../words/numbers'
import type { ChangesProps } from './change'
import { Card, CardFrame, ChangesSection, summaryOf } from './changes'
import { changeId, changeOf, isOpenAtChange, targetId, useUnfolding } from './focus'

/** Many changes: equal effects are one row, which unfolds to its flags. */
export function LargeChanges(props: ChangesProps) {
  const { targets } = props
  const isPrinting = usePrinting()
  const [text, setText] = useState('')
  const filter = isPrinting ? '' : text
  const groups = useMemo(() => groupTargets(filterTargets(targets, filter)), [targets, filter])
  const folds = useFolds(props, groups, () => setText(''))
  const found = changesIn(groups.flatMap((group) => group.targets))
  return (
    <ChangesSection
      {...props}
      summary={summaryOf(targets)}
      tools={
        <Button kind="quiet" size="tiny" onClick={folds.toggleAll}>
          {folds.isAllOpen ? 'Collapse all' : 'Expand all'}
        </Button>
      }
    >
      <div class="tools find">
        <Search label="Filter changes" placeholder="Flag or kind of change" value={text} onSearch={setText} />
        <p class="muted small" role="status">
          {text.trim() !== '' && `${count(found)} of ${count(changesIn(targets))}`}
        </p>
      </div>
      {groups
        .slice(0, folds.shown(''))
        .map((group) =>
          group.targets.length > 1 ? (
            <Group {...props} key={group.key} group={group} folds={folds} />
          ) : (
            group.targets.map((target) => (
              <Target {...props} key={target.key} target={target} folds={folds} isUngrouped />
            ))
          ),
        )}
      <More list="" folds={folds} total={groups.length} />
    </ChangesSection>
  )
}

const changesIn = (targets: readonly TargetItem[]) => targets.reduce((sum, { changes }) => sum + changes.length, 0)

interface GroupProps extends ChangesProps {
  readonly group: TargetGroup
  readonly folds: Folds
}

/** A row for all flags with equal effects. */
function Group({ group, folds, ...props }: GroupProps) {
  const { key, targets } = group
  const changes = targets.flatMap((target) => target.changes)
  return (
    <CardFrame
      id={`g-${encodeURIComponent(key)}`}
      title={
        <span>
          <RichText words={groupWords(group)} />
        </span>
      }
      isOpen={folds.isOpen(key)}
      onFold={(open) => folds.fold(key, open)}
      end={
        <>
          <FoldedMarks {...props} changes={changes} implied={targets[0]?.implied} />
          {counted(changes.length, 'change')}
        </>
      }
    >
      <div class="members">
        {targets.slice(0, folds.shown(key)).map((target) => (
          <Target {...props} key={target.key} target={target} folds={folds} />
        ))}
        <More list={key} total={targets.length} folds={folds} />
      </div>
    </CardFrame>
  )
}

interface TargetProps extends ChangesProps {
  readonly target: TargetItem
  readonly folds: Folds
  /** No other flag has equal changes, so the row describes them. */
  readonly isUngrouped?: boolean
}

/** One flag. Not rendered again when other rows are folded. */
function Target({ target, folds, isUngrouped, ...props }: TargetProps) {
  const { key, changes, implied } = target
  const [isOpen, shown] = [folds.isOpen(key), folds.shown(key)]
  return useMemo(
    () => (
      <Card
        {...props}
        target={target}
        isOpen={isOpen}
        isFoldable
        onFold={(open) => folds.fold(key, open)}
        summary={
          <>
            {isUngrouped && (
              <span class="effect">
                <RichText words={effectWords(changes, implied)} />
              </span>
            )}
            <FoldedMarks {...props} changes={changes} implied={implied} />
          </>
        }
        shown={shown}
        more={<More list={key} total={changes.length} folds={folds} />}
      />
    ),
    [target, isOpen, shown, isUngrouped, props.review, props.actions, props.since, props.takes, props.canPropose],
  )
}

/** What a reviewer must not miss about folded changes. */
function FoldedMarks({
  changes,
  implied,
  review,
  actions: { marks },
}: ChangesProps & Pick<TargetItem, 'changes' | 'implied'>) {
  const ids = new Set(changes.map(({ id }) => id))
  const comments = review.discussion.filter(
    (one) => one.changeId !== null && ids.has(one.changeId) && isOpenAtChange(one, review.changes),
  ).length
  const marked = marks ? [...marks.added, ...[...marks.fields.keys()].map((key) => Number.parseInt(key, 10))] : []
  return (
    <>
      {marked.some((id) => ids.has(id)) && <ChangedMark />}
      <EffectMarks target={{ changes, implied }} />
      {comments > 0 && (
        <Mark tone="plain" icon="comment">
          {counted(comments, 'unresolved comment')}
        </Mark>
      )}
    </>
  )
}

/** What is unfolded, by the keys of groups and of their flags. */
interface Folds {
  isOpen(key: string): boolean
  fold(key: string, open: boolean): void
  /** How many rows of a group or flag are shown; the list of all groups has the key ''. */
  shown(key: string): number
  more(key: string): void
  readonly isAllOpen: boolean
  toggleAll(): void
}

/** A list begins with this many rows; each press shows as many more. */
const step = 25

/** The maximum number of changes that are unfolded at first. */
const maxUnfolded = 10

/** The number of flags that "Expand all" unfolds in one task, to keep it short. */
const slice = 4

function useFolds(
  { targets, review }: Pick<ChangesProps, 'targets' | 'review'>,
  groups: readonly TargetGroup[],
  clearFilter: () => void,
): Folds {
  const isPrinting = usePrinting()
  const [begin] = useState(() => unfoldedAtFirst(groups))
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [rows, setRows] = useState<ReadonlyMap<string, number>>(new Map())
  /** How many flags "Expand all" has unfolded by now. */
  const [all, setAll] = useState(0)
  const positions = new Map<string, number>()
  for (const { key, targets } of groups) {
    positions.set(key, positions.size)
    for (const target of targets) positions.set(target.key, positions.size)
  }
  useEffect(() => {
    if (all === 0 || all >= positions.size) return
    const timer = setTimeout(() => setAll(all + slice))
    return () => clearTimeout(timer)
  }, [all, positions.size])
  useUnfolding((id) => {
    const rowsNeeded = rowsAround(targets, changeOf(id, review))
    if (rowsNeeded === undefined) return false
    setRows((rows) => {
      const needed = [...rowsNeeded].map(([key, least]) => [key, Math.max(rows.get(key) ?? step, least)] as const)
      return new Map([...rows, ...needed])
    })
    setOpened((opened) => new Map([...opened, ...[...rowsNeeded.keys()].map((key) => [key, true] as const)]))
    clearFilter()
    return true
  })
  return {
    isOpen: (key) => isPrinting || (opened.get(key) ?? (all > 0 ? (positions.get(key) ?? 0) < all : begin.has(key))),
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

/** How many rows of each list must be shown for the change or flag with the id. */
function rowsAround(targets: readonly TargetItem[], id: string): ReadonlyMap<string, number> | undefined {
  for (const [at, group] of groupTargets(targets).entries()) {
    for (const [place, target] of group.targets.entries()) {
      const index = target.changes.findIndex((change) => changeId(change.id) === id)
      if (index >= 0 || targetId(target) === id) {
        return new Map([
          ['', at + 1],
          [group.key, place + 1],
          [target.key, index + 1],
        ])
      }
    }
  }
  return undefined
}

/** Ungrouped flags, those with a problem first, up to a maximum of changes. */
function unfoldedAtFirst(groups: readonly TargetGroup[]): ReadonlySet<string> {
  let room = maxUnfolded
  const found = new Set<string>()
  const ungrouped = groups.flatMap(({ targets }) => (targets.length === 1 ? targets : []))
  const isUrgent = ({ changes }: TargetItem) =>
    changes.some(({ conflict, fields }) => conflict !== null || fields.some(({ overwrites }) => overwrites))
  for (const target of ungrouped.sort((one, other) => Number(isUrgent(other)) - Number(isUrgent(one)))) {
    room -= target.changes.length
    if (room >= 0 || found.size === 0) found.add(target.key)
  }
  return found
}

/** Shows more rows of the list with the key, and focuses the first of them. */
function More({ list, total, folds }: { readonly list: string; readonly total: number; readonly folds: Folds }) {
  const left = total - folds.shown(list)
  if (left <= 0) return null
  return (
    <p class="more-changes">
      <Button
        onClick={({ currentTarget }) => {
          const last = currentTarget.parentElement?.previousElementSibling
          folds.more(list)
          requestAnimationFrame(() => (last?.nextElementSibling as HTMLElement | null)?.focus())
        }}
      >{`Show ${Math.min(left, step)} more of ${left}`}</Button>
    </p>
  )
}
