import { useMemo } from 'preact/hooks'
import { ChangedMark } from '../../../../parts/changes/field-table'
import { Said } from '../../../../parts/changes/said'
import { Mark } from '../../../../parts/marks/mark'
import { groupWords, type TargetGroup } from '../../../../words/content/groups'
import type { TargetItem } from '../../../../words/content/items'
import { effectWords } from '../../../../words/effects/effects'
import { counted } from '../../../../words/numbers'
import { useRequestContext } from '../../model/context'
import { Card, CardFrame } from '../card'
import { EffectMarks } from '../effects'
import { type Folds, More } from './folds'

interface GroupProps {
  readonly group: TargetGroup
  readonly folds: Folds
}

/** A row for all flags with equal effects. */
export function Group({ group, folds }: GroupProps) {
  const { key, targets } = group
  const changes = targets.flatMap((target) => target.changes)
  return (
    <CardFrame
      id={`g-${encodeURIComponent(key)}`}
      title={<Said words={groupWords(group)} />}
      isOpen={folds.isOpen(key)}
      onFold={(open) => folds.fold(key, open)}
      end={
        <>
          <Marks changes={changes} along={targets[0]?.along} />
          {counted(changes.length, 'change')}
        </>
      }
    >
      <div class="members">
        {targets.slice(0, folds.shown(key)).map((target) => (
          <Target key={target.key} target={target} folds={folds} />
        ))}
        <More of={key} total={targets.length} folds={folds} />
      </div>
    </CardFrame>
  )
}

interface TargetProps {
  readonly target: TargetItem
  readonly folds: Folds
  /** No other flag has equal changes: it says them itself. */
  readonly isAlone?: boolean
}

/** One flag. Rendered again only if something of it changes. */
export function Target({ target, folds, isAlone }: TargetProps) {
  const { latest, marks } = useRequestContext()
  const { key, changes, along } = target
  const [isOpen, shown] = [folds.isOpen(key), folds.shown(key)]
  return useMemo(
    () => (
      <Card
        target={target}
        isOpen={isOpen}
        isFoldable
        onFold={(open) => folds.fold(key, open)}
        summary={
          <>
            {isAlone && (
              <span class="effect">
                <Said words={effectWords(changes, along)} />
              </span>
            )}
            <Marks changes={changes} along={along} />
          </>
        }
        shown={shown}
        more={<More of={key} total={changes.length} folds={folds} />}
      />
    ),
    [target, isOpen, shown, isAlone, latest, marks],
  )
}

/** What must not be missed about what is folded. */
function Marks({ changes, along }: Pick<TargetItem, 'changes' | 'along'>) {
  const { latest, marks } = useRequestContext()
  const ids = new Set(changes.map(({ id }) => id))
  const comments = latest.review.discussion.filter(({ changeId }) => changeId !== null && ids.has(changeId)).length
  const marked = marks ? [...marks.added, ...[...marks.fields.keys()].map((key) => Number.parseInt(key, 10))] : []
  return (
    <>
      {marked.some((id) => ids.has(id)) && <ChangedMark />}
      <EffectMarks target={{ changes, along }} />
      {comments > 0 && (
        <Mark tone="plain" icon="comment">
          {counted(comments, 'comment')}
        </Mark>
      )}
    </>
  )
}
