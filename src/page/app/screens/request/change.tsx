import { useMemo, useState } from 'preact/hooks'
import { useMe } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { everywhere } from '../../core/tools/production'
import { createKeptStore, useStore } from '../../core/tools/store'
import * as times from '../../core/tools/times'
import { ChangedMark, FieldTable } from '../../parts/changes/field-table'
import { RichText } from '../../parts/changes/rich-text'
import { WarningMarks } from '../../parts/changes/warning-marks'
import { Button } from '../../parts/controls/button'
import { Tabs } from '../../parts/controls/tabs'
import { lazy, PartFallback } from '../../parts/lazy'
import { list } from '../../parts/marks/from'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { PersonName } from '../../parts/marks/person'
import { RequestName } from '../../parts/marks/request-name'
import { isClosed } from '../../parts/marks/state'
import type { useCanPropose } from '../../reviews/places'
import { changeWords } from '../../words/changes'
import { markKey } from '../../words/content/compare'
import type { ChangeItem, TargetItem } from '../../words/content/items'
import { wholeRows } from '../../words/content/whole'
import type { FieldRow } from '../../words/fields/row'
import { rowsOf } from '../../words/fields/rows'
import { totalRow } from '../../words/fields/variants'
import { counted } from '../../words/numbers'
import { hasUnseen } from '../../words/visible'
import { Thread } from './discussion'
import { changeId, rowId } from './focus'
import { isAllowed } from './review'
import type { Since } from './since'
import type { Takes } from './takes'
import type { RequestProps } from './use-request'

export interface ChangesProps extends RequestProps {
  /** Undefined where nothing can be marked as viewed. */
  readonly since: Since | undefined
  readonly takes: Takes
  readonly canPropose: ReturnType<typeof useCanPropose>
}

interface ChangeProps extends ChangesProps {
  readonly change: ChangeItem
  readonly target: TargetItem
}

const Overwrite = lazy(async () => (await import('./overwrite')).Overwrite, PartFallback)
export const Json = lazy(async () => (await import('../../parts/changes/json')).Json, PartFallback)
const Conflict = lazy(async () => (await import('./overwrite')).Conflict, PartFallback)

/** One change: what it does, field by field, and what prevents it. */
export function Change(props: ChangeProps) {
  const { change, target, request, review, actions } = props
  const [isJson, setJson] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const rows = useMemo(() => {
    const altered = rowsOf(change)
    return withoutNow([...altered, ...totalRow(altered, change.before, change.after)], change)
  }, [change])
  const { icon, what, how } = changeWords(change, change.before ?? change.after)
  const isOverwriting = rows.some(({ overwrites }) => overwrites)
  const label = `${what} ${how}`.trim()
  const onComment = () => setWriting(!isWriting)
  return (
    <div class="change" id={changeId(change.id)} tabIndex={-1} data-change={change.id}>
      <div class="change-head">
        <Icon name={icon} />
        <p class="flow">
          <a class="strong" href={`#${changeId(change.id)}`}>
            <bdi>{what}</bdi>
          </a>
          {how && <span class="muted">{how}</span>}
          <ChangeMarks {...props} isOverwriting={isOverwriting} />
        </p>
        <ChangeTools {...props} {...{ label, isJson, isWriting, onComment }} onJson={() => setJson(!isJson)} />
      </div>
      {change.otherScheduled.length > 0 && (
        <p class="small also-scheduled">
          Also scheduled:{' '}
          {list(
            change.otherScheduled.map(({ id, title }) => (
              <Link key={id} to={requestPath(request.project, id)}>
                <RequestName id={id} title={title ?? null} />
              </Link>
            )),
            'and',
          )}
          . Whichever runs first suspends the other, unless one follows the other.
        </p>
      )}
      {hasUnseen([target.name, change.payload, change.before, change.after]) && (
        <p class="box m-care small">
          <Icon name="warn" /> This change contains characters that can't be seen. Marks show their positions.
        </p>
      )}
      {rows.length > 0 ? (
        <ChangeRows {...props} rows={rows} />
      ) : (
        change.nowKnown &&
        change.conflict === null &&
        !namedByHeading.has(change.action) && <p class="small muted">No difference: it already has these values.</p>
      )}
      {isJson && (
        <Json label={`JSON of ${label}`} value={change.after ?? change.payload} before={change.before ?? undefined} />
      )}
      {isOverwriting && <Overwrite {...props} rows={rows} />}
      {change.conflict !== null && !isClosed(review.state) && <Conflict {...props} />}
      <Thread
        {...{ request, review, targets: props.targets, actions, isWriting }}
        about={change.id}
        label={`Comment on ${label}`}
        onClose={() => setWriting(false)}
      />
    </div>
  )
}

/** Changes whose heading is complete. */
const namedByHeading: ReadonlySet<string> = new Set(['deleteReleasePlan', 'resumeMilestoneProgression'])

interface ChangeToolsProps extends Pick<ChangeProps, 'change' | 'review' | 'actions' | 'since'> {
  readonly label: string
  readonly isJson: boolean
  readonly onJson: () => void
  readonly isWriting: boolean
  readonly onComment: () => void
}

function ChangeTools({ change, review, actions, since, label, ...props }: ChangeToolsProps) {
  const { off, open } = actions
  const comments = review.discussion.filter(({ changeId, text }) => changeId === change.id && text !== null).length
  const comment = comments > 0 ? counted(comments, 'comment') : 'Comment'
  const shared = { kind: 'quiet', size: 'tiny' } as const
  return (
    <div class="change-tools">
      {since && (
        <label class="viewed">
          <input
            type="checkbox"
            data-key="v"
            aria-label={`Viewed: ${label}`}
            checked={since.viewed.has(change.id)}
            onChange={({ currentTarget }) => since.onView(change.id, currentTarget.checked)}
          />
          <span class="txt">Viewed</span>
        </label>
      )}
      <Button
        {...shared}
        icon="braces"
        aria-expanded={props.isJson}
        data-key="x"
        aria-label={`JSON of ${label}`}
        onClick={props.onJson}
      >
        <span class="txt">JSON</span>
      </Button>
      <Button
        {...shared}
        icon="comment"
        aria-expanded={props.isWriting}
        data-key="c"
        aria-label={`${comment} on ${label}`}
        onClick={props.onComment}
      >
        <span class="txt">{comment}</span>
      </Button>
      {isAllowed(review, 'edit') &&
        (
          [
            ['pencil', 'Edit', 'edit'],
            ['trash', 'Discard', 'discardChange'],
          ] as const
        ).map(([icon, text, dialog]) => (
          <Button
            {...shared}
            key={dialog}
            icon={icon}
            off={off !== null}
            aria-label={`${text} ${label}`}
            onClick={() => open(dialog, change.id)}
          >
            <span class="txt">{text}</span>
          </Button>
        ))}
    </div>
  )
}

/** What a reviewer must not miss about a change. */
function ChangeMarks({
  change,
  review,
  actions,
  since,
  isOverwriting,
}: ChangeProps & { readonly isOverwriting: boolean }) {
  const me = useMe()
  const author = review.changes.find(({ id }) => id === change.id)?.author
  const vote = review.votes.find(({ person }) => person.id === me.id)
  const status = vote?.changes?.find(({ id }) => id === change.id)?.status ?? 'same'
  const news =
    status !== 'same'
      ? `${status === 'new' ? 'New' : 'Edited'} since your approval`
      : (sinceOpened[since?.statuses.get(change.id) ?? 'same'] ??
        (actions.marks?.added.has(change.id) && 'New since you looked'))
  return (
    <>
      {news && <ChangedMark>{news}</ChangedMark>}
      <WarningMarks conflict={change.conflict !== null} overwrites={isOverwriting} everybody={change.endsAtEverybody} />
      {author && JSON.stringify(author) !== JSON.stringify(review.author) && (
        <span class="muted small">
          by <PersonName person={author} />
          <MachineMark author={author} />
        </span>
      )}
    </>
  )
}

const sinceOpened: Readonly<Record<string, string>> = {
  edited: 'Edited since you last opened it',
  new: 'New since you last opened it',
}

type StrategyView = 'fields' | 'sides' | 'unified'

const strategyView = createKeptStore<StrategyView>('ecr-strategy-view', ['fields', 'sides', 'unified'])

const strategyTabs = [
  { id: 'fields', label: 'Changed fields' },
  { id: 'sides', label: 'Side by side' },
  { id: 'unified', label: 'Unified' },
]

/** How all strategies are shown: only what changes, or all fields. */
export function StrategyViewTabs() {
  const current = useStore(strategyView)
  const onChoose = (id: string) => strategyView.set(id as StrategyView)
  return <Tabs label="Show strategies" tabs={strategyTabs} current={current} onChoose={onChoose} />
}

/** Whether it is about a strategy whose fields are known. */
export function isOfStrategy({ action, before, after }: ChangeItem): boolean {
  return action.endsWith('Strategy') && action !== 'reorderStrategy' && (before ?? after) !== null
}

const unknown = { words: [{ text: 'unknown', as: 'muted' as const }] }
const gone = { words: [{ text: 'no longer exists', as: 'muted' as const }] }

/** An unknown current value is not shown as absent. */
function withoutNow(rows: readonly FieldRow[], { nowKnown, action, conflict }: ChangeItem): readonly FieldRow[] {
  if (nowKnown || action.startsWith('add')) return rows
  const now = conflict === null ? unknown : gone
  return rows.map((row) => ({ ...row, now, share: null }))
}

/** The first column; a closed change request is compared with the state at that time. */
const columns: Readonly<Record<string, string>> = { Applied: 'Before in', Rejected: 'Then in', Cancelled: 'Then in' }

/** The table, with the fields of the last change highlighted. */
function ChangeRows({ change, rows, request, review, actions }: ChangeProps & { readonly rows: readonly FieldRow[] }) {
  const view = useStore(strategyView)
  const { follows } = review
  const isForeseen = review.changes.find(({ id }) => id === change.id)?.foreseen === true
  const isWhole = view !== 'fields' && isOfStrategy(change)
  const marked = ({ key }: FieldRow) => actions.marks?.fields.get(markKey(change.id, key))
  const note = (row: FieldRow) => {
    const was = marked(row)
    if (was === undefined) return null
    return (
      <span class="changed-field flow">
        <ChangedMark />
        {was && (
          <small>
            was <RichText words={was} />
          </small>
        )}
      </span>
    )
  }
  return (
    <FieldTable
      rows={isWhole ? wholeRows(change, rows) : rows}
      now={
        isForeseen && follows?.scheduledAt
          ? `After #${follows.id}, ${times.dayAndTime(follows.scheduledAt)}`
          : `${columns[review.state] ?? 'Now in'} ${change.feature === null ? everywhere : request.environment}`
      }
      after="After applying"
      note={note}
      id={(row) => (marked(row) === undefined ? undefined : rowId(markKey(change.id, row.key)))}
      unified={isWhole && view === 'unified'}
    />
  )
}
