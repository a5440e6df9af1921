import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../core/places/link'
import { newPath } from '../../core/places/navigation'
import { reachOf } from '../../core/tools/production'
import { ImpliedChange } from '../../parts/changes/implied-change'
import { RichText } from '../../parts/changes/rich-text'
import { EffectMarks } from '../../parts/changes/warning-marks'
import { Button } from '../../parts/controls/button'
import { list } from '../../parts/marks/from'
import { Icon } from '../../parts/marks/icon'
import { FlagLink } from '../../reviews/flag-link'
import type { TargetItem } from '../../words/content/items'
import { effectWords } from '../../words/effects/effects'
import { objectOf } from '../../words/json'
import { counted } from '../../words/numbers'
import { Change, type ChangesProps, isOfStrategy, Json, StrategyViewTabs } from './change'
import { changeId, changeOf, targetId, useUnfolding } from './focus'
import { isAllowed } from './review'
import type { RequestProps } from './use-request'

const headings: Readonly<Record<string, string>> = {
  Applied: 'What changed in',
  Rejected: 'What would have changed in',
  Cancelled: 'What would have changed in',
}

/** What will be different, one line for each flag; nothing where one change says it all. */
export function Effects({ request, review, targets }: Omit<RequestProps, 'actions'>) {
  if (targets.length === 1 && targets.every(isOneChange)) return null
  return (
    <section aria-labelledby="effects">
      <div class="sec-head">
        <h2 id="effects">
          {headings[review.state] ?? 'What will change in'} <bdi>{reachOf(request)}</bdi>
        </h2>
        <span class="muted small">{summaryOf(targets)}</span>
      </div>
      {targets.length === 0 ? (
        <p class="panel nothing edge">No changes yet.</p>
      ) : (
        <ul class="panel effects edge">
          {targets.map((target) => (
            <Effect key={target.key} target={target} />
          ))}
        </ul>
      )}
    </section>
  )
}

const isOneChange = ({ kind, changes, implied }: TargetItem): boolean =>
  kind === 'flag' && changes.length === 1 && implied === undefined && changes[0]?.conflict === null

/** `4 flags, 5 changes, 1 implied change`. */
export function summaryOf(targets: readonly TargetItem[]): string {
  const flags = targets.filter(({ kind }) => kind === 'flag').length
  const segments = targets.length - flags
  const impliedChanges = targets.filter(({ implied }) => implied !== undefined).length
  return [
    ...(flags > 0 ? [counted(flags, 'flag')] : []),
    ...(segments > 0 ? [counted(segments, 'segment')] : []),
    counted(targets.flatMap(({ changes }) => changes).length, 'change'),
    ...(impliedChanges > 0 ? [counted(impliedChanges, 'implied change')] : []),
  ].join(', ')
}

function Effect({ target }: { readonly target: TargetItem }) {
  const { name, kind, changes, implied } = target
  return (
    <li>
      <a class="flag" href={`#${targetId(target)}`}>
        {kind === 'segment' && 'segment '}
        <bdi>{name}</bdi>
      </a>
      <span class="effect">
        <RichText words={effectWords(changes, implied)} />
      </span>
      <span class="effect-marks flow">
        <EffectMarks target={target} />
      </span>
    </li>
  )
}

/** The changes, field by field. */
export function Changes(props: ChangesProps) {
  const [folded, setFolded] = useState<readonly string[]>([])
  useUnfolding((id) => {
    const change = changeOf(id, props.review)
    const target = props.targets.find(({ changes }) => changes.some((one) => changeId(one.id) === change))
    if (target === undefined || !folded.includes(target.key)) return false
    setFolded(folded.filter((key) => key !== target.key))
    return true
  })
  return (
    <ChangesSection {...props}>
      {props.targets.map((target) => (
        <Card
          {...props}
          key={target.key}
          target={target}
          isOpen={!folded.includes(target.key)}
          onFold={(open) => setFolded([...folded.filter((key) => key !== target.key), ...(open ? [] : [target.key])])}
          summary={<EffectMarks target={target} />}
        />
      ))}
    </ChangesSection>
  )
}

interface ChangesSectionProps extends ChangesProps {
  /** Next to the heading. */
  readonly summary?: ComponentChildren
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** The heading of the changes, with the tools for all of them. */
export function ChangesSection(props: ChangesSectionProps) {
  const { request, review, targets, since, summary, tools, children } = props
  const { features, segments } = request
  const [isJson, setJson] = useState(false)
  return (
    <section aria-labelledby="changes">
      <div class="sec-head changes-head">
        <h2 id="changes" tabIndex={-1}>
          Changes
        </h2>
        {summary && <span class="muted small hide-s">{summary}</span>}
        {since && (
          <span class="viewed muted" role="status">{`${since.viewed.size} of ${review.changes.length} viewed`}</span>
        )}
        {targets.some(({ changes }) => changes.some(isOfStrategy)) && <StrategyViewTabs />}
        <div class="end change-tools">
          {tools}
          {isAllowed(review, 'edit') && (
            <Link class="btn tiny quiet" to={newPath(request)} aria-label="Add a change">
              <Icon name="plus" />
              <span class="txt">Add a change</span>
            </Link>
          )}
          {features.length + segments.length > 0 && (
            <Button
              kind="quiet"
              size="tiny"
              icon="braces"
              aria-label="JSON of all changes"
              aria-expanded={isJson}
              onClick={() => setJson(!isJson)}
            >
              <span class="txt">JSON</span>
            </Button>
          )}
        </div>
      </div>
      {since?.news && <p class="since small">{since.news}</p>}
      {isJson && <Json label="All changes as JSON" value={{ features, segments }} />}
      {children}
    </section>
  )
}

interface Foldable {
  readonly isOpen: boolean
  readonly onFold: (open: boolean) => void
}

interface CardProps extends ChangesProps, Foldable {
  readonly target: TargetItem
  /** Replaces the changes while they are folded. */
  readonly summary: ComponentChildren
  /** The number of changes that are shown. @defaultValue all */
  readonly shown?: number
  /** Below the changes that are shown. */
  readonly more?: ComponentChildren
  /** Whether a few changes can be folded, too. */
  readonly isFoldable?: boolean
}

/** A flag or segment with its changes. */
export function Card({ target, isOpen, onFold, summary, shown, more, isFoldable, ...props }: CardProps) {
  const { name, kind, changes, implied } = target
  return (
    <CardFrame
      id={targetId(target)}
      title={
        <>
          <Icon name={kind === 'flag' ? 'flag' : 'users'} />
          {kind === 'segment' && 'Segment '}
          {kind === 'flag' ? (
            <FlagLink
              project={props.request.project}
              environment={props.request.environment}
              feature={name}
              canPropose={props.canPropose}
            />
          ) : (
            <bdi class="flag">{name}</bdi>
          )}
        </>
      }
      isOpen={isOpen}
      onFold={isFoldable || changes.length > 10 ? onFold : undefined}
      isKept={!isFoldable}
      summary={summary}
      end={
        <>
          {counted(changes.length, 'change')}
          {implied && ', 1 implied change'}
        </>
      }
    >
      {kind === 'segment' && <SegmentUse {...props} target={target} />}
      {changes.slice(0, shown).map((change) => (
        <Change {...props} key={change.id} change={change} target={target} />
      ))}
      {more}
      {implied && (
        <ImpliedChange
          environment={props.request.environment}
          segmentNames={props.review.segmentNames}
          change={implied}
        />
      )}
    </CardFrame>
  )
}

/** The flags that use a segment; nothing where the flag gateway does not return them. */
function SegmentUse({ request, review, target }: Pick<CardProps, 'request' | 'review' | 'target'>) {
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
  /** Whether folded content stays in the document, to be printed. */
  readonly isKept?: boolean
  readonly children: ComponentChildren
}

/** A panel with a heading, which unfolds to its content. */
export function CardFrame({ id, title, isOpen, onFold, summary, end, isKept, children }: CardFrameProps) {
  return (
    <article class="panel card edge" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <div class={isOpen ? 'card-head flow' : 'card-head flow folded'}>
        <h3 id={`${id}-name`}>{title}</h3>
        {!isOpen && summary}
        <span class="end soft small">{end}</span>
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
