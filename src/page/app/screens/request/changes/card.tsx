import { useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import type { TargetItem } from '../../../words/content/items'
import { counted } from '../../../words/numbers'
import { Along } from './along'
import { Change } from './change'
import { EffectMarks } from './effects'
import { targetId } from './places'

/** The number of changes of one flag that are shown, until the user shows more. */
const most = 50

interface CardProps {
  readonly target: TargetItem
  readonly isOpen: boolean
  readonly onFold: (open: boolean) => void
}

/** A flag or segment with its changes. */
export function Card({ target, isOpen, onFold }: CardProps) {
  const { name, kind, changes, along } = target
  const [shown, setShown] = useState(most)
  const id = targetId(target)
  const left = changes.length - shown
  return (
    <article class="panel card edge" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <div class={isOpen ? 'card-head' : 'card-head folded'}>
        <h3 id={`${id}-name`}>
          <Icon name={kind === 'flag' ? 'flag' : 'users'} />
          {kind === 'segment' && 'Segment '}
          <span class="flag">
            <bdi>{name}</bdi>
          </span>
        </h3>
        {!isOpen && <EffectMarks target={target} />}
        <span class="end">
          {counted(changes.length, 'change')}
          {along && ', 1 comes along'}
        </span>
        {(!isOpen || changes.length > 10) && (
          <Button kind="quiet" size="tiny" aria-expanded={isOpen} onClick={() => onFold(!isOpen)}>
            {isOpen ? 'Collapse' : 'Expand'}
          </Button>
        )}
      </div>
      {isOpen && (
        <>
          {changes.slice(0, shown).map((change) => (
            <Change key={change.id} change={change} target={target} />
          ))}
          {left > 0 && (
            <p class="more-changes">
              <Button onClick={() => setShown(shown + most)}>{`Show ${Math.min(left, most)} more of ${left}`}</Button>
            </p>
          )}
          {along && <Along along={along} />}
        </>
      )}
    </article>
  )
}
