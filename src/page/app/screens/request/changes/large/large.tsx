import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../../../parts/controls/button'
import { Search } from '../../../../parts/controls/search'
import { usePrinting } from '../../../../parts/printing'
import { filterTargets, groupTargets } from '../../../../words/content/groups'
import type { TargetItem } from '../../../../words/content/items'
import { count } from '../../../../words/numbers'
import { useRequestContext } from '../../model/context'
import { ChangesSection } from '../changes'
import { summaryOf } from '../effects'
import { More, useFolds } from './folds'
import { Group, Target } from './group'

/** Many changes: equal effects are one row, which unfolds to its flags. */
export function LargeChanges() {
  const { targets } = useRequestContext().content
  const isPrinting = usePrinting()
  const [text, setText] = useState('')
  const filter = isPrinting ? '' : text
  const groups = useMemo(() => groupTargets(filterTargets(targets, filter)), [targets, filter])
  const folds = useFolds(groups, () => setText(''))
  const found = changesIn(groups.flatMap((group) => group.targets))
  return (
    <ChangesSection
      summary={`${summaryOf(targets)}, `}
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
            <Group key={group.key} group={group} folds={folds} />
          ) : (
            group.targets.map((target) => <Target key={target.key} target={target} folds={folds} isAlone />)
          ),
        )}
      <More of="" folds={folds} total={groups.length} />
    </ChangesSection>
  )
}

const changesIn = (targets: readonly TargetItem[]) => targets.reduce((sum, { changes }) => sum + changes.length, 0)
