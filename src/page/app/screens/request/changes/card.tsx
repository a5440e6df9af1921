import type { ComponentChildren } from 'preact'
import { Button } from '../../../parts/controls/button'
import { list } from '../../../parts/marks/from'
import { Icon } from '../../../parts/marks/icon'
import type { TargetItem } from '../../../words/content/items'
import { objectOf } from '../../../words/json'
import { counted } from '../../../words/numbers'
import { useRequestContext } from '../model/context'
import { Along } from './along'
import { Change } from './change'
import { targetId } from './places'

interface Foldable {
  readonly isOpen: boolean
  readonly onFold: (open: boolean) => void
}

interface CardProps extends Foldable {
  readonly target: TargetItem
  /** In the place of the changes while they are folded. */
  readonly summary: ComponentChildren
  /** The number of changes that are shown. @defaultValue all */
  readonly shown?: number
  /** Below the changes that are shown. */
  readonly more?: ComponentChildren
  /** Whether a few changes can be folded, too. */
  readonly isFoldable?: boolean
}

/** A flag or segment with its changes. */
export function Card({ target, isOpen, onFold, summary, shown, more, isFoldable }: CardProps) {
  const { name, kind, changes, along } = target
  return (
    <CardFrame
      id={targetId(target)}
      title={
        <>
          <Icon name={kind === 'flag' ? 'flag' : 'users'} />
          {kind === 'segment' && 'Segment '}
          <span class="flag">
            <bdi>{name}</bdi>
          </span>
        </>
      }
      isOpen={isOpen}
      onFold={isFoldable || changes.length > 10 ? onFold : undefined}
      isKept={!isFoldable}
      summary={summary}
      end={
        <>
          {counted(changes.length, 'change')}
          {along && ', 1 comes along'}
        </>
      }
    >
      {kind === 'segment' && <SegmentUse target={target} />}
      {changes.slice(0, shown).map((change) => (
        <Change key={change.id} change={change} target={target} />
      ))}
      {more}
      {along && <Along along={along} />}
    </CardFrame>
  )
}

/** The flags that use a segment; nothing where the flag gateway does not return them. */
function SegmentUse({ target }: { readonly target: TargetItem }) {
  const { request, review } = useRequestContext().latest
  const users = review.segmentUse[`${objectOf(target.changes[0]?.payload ?? null).id}`]
  if (users === undefined) return null
  const flags = users.map((user) => {
    if ('others' in user) return counted(user.others, 'other flag')
    const { project, feature } = user
    return <bdi class="flag">{project === request.project ? feature : `${project}/${feature}`}</bdi>
  })
  return <p class="segment-use">{flags.length === 0 ? 'No flag uses it.' : <>Used by {list(flags, 'and')}.</>}</p>
}

interface CardFrameProps {
  readonly id: string
  readonly title: ComponentChildren
  readonly isOpen: boolean
  /** Undefined: it cannot be folded. */
  readonly onFold: Foldable['onFold'] | undefined
  readonly summary?: ComponentChildren
  readonly end: ComponentChildren
  /** What is folded stays in the document, to be printed. */
  readonly isKept?: boolean
  readonly children: ComponentChildren
}

/** A panel with a heading, which unfolds to its content. */
export function CardFrame({ id, title, isOpen, onFold, summary, end, isKept, children }: CardFrameProps) {
  return (
    <article class="panel card edge" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <div class={isOpen ? 'card-head' : 'card-head folded'}>
        <h3 id={`${id}-name`}>{title}</h3>
        {!isOpen && summary}
        <span class="end">{end}</span>
        {onFold && (
          <Button kind="quiet" size="tiny" aria-expanded={isOpen} onClick={() => onFold(!isOpen)}>
            {isOpen ? 'Collapse' : 'Expand'}
          </Button>
        )}
      </div>
      <div hidden={!isOpen}>{(isOpen || isKept) && children}</div>
    </article>
  )
}
