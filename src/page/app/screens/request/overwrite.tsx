import type { ComponentChildren } from 'preact'
import { client, useMe } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { list } from '../../parts/marks/from'
import { Icon } from '../../parts/marks/icon'
import { nameOf } from '../../parts/marks/person'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { voidedBy } from '../../reviews/voids'
import type { ChangeItem, TargetItem } from '../../words/content/items'
import { type FieldRow, labelInLine, type Side } from '../../words/fields/row'
import { count, points } from '../../words/numbers'
import { brief } from '../../words/spans'
import { changeId, focusOn } from './focus'
import { isAllowed, stepOf } from './review'
import type { Take, Takes } from './takes'
import type { RequestProps } from './use-request'
import { isWithout, useStep } from './use-step'

interface OverwriteProps extends Omit<RequestProps, 'targets'> {
  readonly change: ChangeItem
  readonly target: TargetItem
  readonly rows: readonly FieldRow[]
  readonly takes: Takes
}

const takeNames: Readonly<Record<Take, string>> = { theirs: 'Theirs', ours: 'Ours', drop: 'Drop' }

/** What would be overwritten, and the choice of the value to keep. The base value cannot be chosen. */
export function Overwrite({ change, target, rows, takes, request, review, actions }: OverwriteProps) {
  const me = useMe()
  const overwriting = rows.filter(({ overwrites }) => overwrites)
  const mayChoose = isAllowed(review, 'rebase')
  const { causedBy } = change
  const live = <Values rows={overwriting} side={({ now }) => now} />
  const option = (take: Take, value: ComponentChildren, help: ComponentChildren) => (
    <label class={take === 'drop' ? 'opt drop flow' : 'opt'}>
      <span class="name">
        <input
          type="radio"
          name={`take-${change.id}`}
          value={take}
          checked={takes.chosen.get(change.id) === take}
          onChange={() => takes.choose(change.id, take)}
        />
        {takeNames[take]}
      </span>
      {value && <span class="big">{value}</span>}
      <small>{help}</small>
    </label>
  )
  return (
    <div class="box m-care">
      <h4>
        <Icon name="warn" />
        <span>
          Would undo what {causedBy ? <bdi>{causedBy.createdBy}</bdi> : 'another user'} changed{' '}
          {causedBy ? times.ago(causedBy.createdAt) : 'since'}
        </span>
      </h4>
      {overwriting.map((row) => (
        <p key={row.key} class="small">
          <Undone row={row} />
        </p>
      ))}
      <fieldset class="take" disabled={!mayChoose || actions.off !== null}>
        <legend class="vh">
          What to keep of {overwriting.map(({ label }) => label).join(', ')} of <bdi>{target.name}</bdi>
        </legend>
        <div class="opt base">
          <span class="name">Base</span>
          <span class="big">
            <Values rows={overwriting} side={({ was, now }) => was ?? now} />
          </span>
          <small>
            when <bdi>{nameOf(change.createdBy ?? request.createdBy)}</bdi> proposed it
            {change.createdAt && `, ${times.day(change.createdAt)}`}
          </small>
        </div>
        {option('theirs', live, <>live now{causedBy && <By cause={causedBy} project={request.project} />}</>)}
        {option(
          'ours',
          <Values rows={overwriting} side={({ after }) => after} />,
          <>this request{isLower(overwriting) && ', lower than what is live'}</>,
        )}
        {option('drop', null, <>remove this change from the request; {live} stays live</>)}
      </fieldset>
      {mayChoose ? (
        <Rebase takes={takes} review={review} actions={actions} />
      ) : (
        <p class="box-foot flow soft small">
          <span>
            {me.id === request.createdBy.id ? (
              stepOf(review, 'rebase')?.missing[0]?.message
            ) : (
              <>
                Only <bdi>{nameOf(request.createdBy)}</bdi> can choose.
              </>
            )}
          </span>
        </p>
      )}
    </div>
  )
}

/** `Applying would take the rollout from 40 % down to 30 %.` */
function Undone({ row }: { readonly row: FieldRow }) {
  const { now, after, share } = row
  const moved = share?.from != null && share.to != null ? points(share.from, share.to) : null
  const direction = moved ? (moved.up ? 'up to' : 'down to') : 'to'
  return (
    <>
      Applying would take {labelInLine(row)} from <RichText words={brief(now.words)} />{' '}
      <b>
        {direction} <RichText words={brief(after.words)} />
      </b>
      .
    </>
  )
}

/** One value, or a list of them with their fields. */
function Values({ rows, side }: { readonly rows: readonly FieldRow[]; readonly side: (row: FieldRow) => Side }) {
  return (
    <>
      {rows.map((row, index) => (
        <span key={row.key} class="value-line">
          {rows.length > 1 && <span class="muted small">{row.label} </span>}
          <RichText words={brief(side(row).words)} />
          {index < rows.length - 1 && <span class="vh">, </span>}
        </span>
      ))}
    </>
  )
}

function isLower(rows: readonly FieldRow[]): boolean {
  return rows.some(({ share }) => share?.from != null && share.to != null && points(share.from, share.to)?.up === false)
}

/** The user who set the live value. */
function By({ cause, project }: { readonly cause: NonNullable<ChangeItem['causedBy']>; readonly project: string }) {
  return (
    <>
      , by <bdi>{cause.createdBy}</bdi>
      {cause.changeRequestId !== undefined && (
        <>
          {' in '}
          <Link to={requestPath(project, cause.changeRequestId)}>#{cause.changeRequestId}</Link>
        </>
      )}
      , {times.dayAndTime(cause.createdAt)}
    </>
  )
}

function Rebase({ takes, review, actions }: Pick<OverwriteProps, 'takes' | 'review' | 'actions'>) {
  const { all, chosen, rebase } = takes
  const undecided = all.filter(({ id }) => !chosen.has(id))
  const [only] = all
  const take = all.length === 1 && only ? chosen.get(only.id) : undefined
  const links = undecided.slice(0, 5).map((change) => (
    <button key={change.id} type="button" class="link" onClick={() => focusOn(changeId(change.id))}>
      <bdi>{change.feature ?? change.name ?? `change ${change.id}`}</bdi>
    </button>
  ))
  return (
    <>
      <div class="box-foot flow soft small">
        <Button
          kind="primary"
          icon="refresh"
          off={actions.off !== null || undecided.length > 0}
          busy={rebase.busy && 'Rebasing…'}
          onClick={() => rebase.press()}
        >
          {all.length > 1 ? `Rebase ${all.length} changes` : take ? `Rebase with “${takeNames[take]}”` : 'Rebase…'}
        </Button>
        {undecided.length > 0 ? <span>Choose what to keep: {list(links, 'and')}.</span> : <Voids review={review} />}
      </div>
      <OutcomeNotice action={rebase} verb="rebase it" />
    </>
  )
}

/** What an edit voids. */
export function Voids({ review }: Pick<RequestProps, 'review'>) {
  const words = voidedBy(review)
  return words === '' ? null : <span>{words}</span>
}

/** Why a change cannot be applied, and who can solve it. */
export function Conflict({ change, request, review, actions }: Omit<OverwriteProps, 'target' | 'rows' | 'takes'>) {
  const { causedBy, conflict } = change
  const discard = useStep(actions, {
    run: (write) => client.discardChange(request, change.id, write),
    doneMessage: 'The change was discarded.',
    isDone: (latest, before) => isWithout(latest, before, change.id),
    updatesContent: true,
  })
  const mayEdit = isAllowed(review, 'edit')
  return (
    <div class="box m-stop">
      <h4>
        <Icon name="stop" />
        <span>
          <bdi>{conflict}</bdi>
        </span>
      </h4>
      <p class="small">
        {causedBy && (
          <>
            By <bdi>{causedBy.createdBy}</bdi>, {times.dayAndTime(causedBy.createdAt)} (
            <Link to={`/log?id=${causedBy.eventId}`}>event {count(causedBy.eventId)}</Link>).{' '}
          </>
        )}
        Until this is resolved, nothing in this change request can be applied or scheduled.{' '}
        {!mayEdit && <>{<bdi>{nameOf(request.createdBy)}</bdi>} can discard the change.</>}
      </p>
      {mayEdit && (
        <div class="box-foot flow soft small">
          <Button
            size="tiny"
            icon="trash"
            off={actions.off !== null}
            busy={discard.busy && 'Discarding…'}
            onClick={() => discard.press()}
          >
            Discard the change
          </Button>
          <Voids review={review} />
        </div>
      )}
      <OutcomeNotice action={discard} verb="discard a change" />
    </div>
  )
}
