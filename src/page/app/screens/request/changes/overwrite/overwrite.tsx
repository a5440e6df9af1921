import type { ComponentChildren } from 'preact'
import * as times from '../../../../core/tools/times'
import { Button } from '../../../../parts/controls/button'
import { list } from '../../../../parts/marks/from'
import { Icon } from '../../../../parts/marks/icon'
import { nameOf } from '../../../../parts/marks/person'
import { OutcomeNotice } from '../../../../parts/messages/outcome-notice'
import type { ChangeItem, TargetItem } from '../../../../words/content/items'
import type { FieldRow } from '../../../../words/fields/row'
import { useRequestContext } from '../../model/context'
import { isAllowed, stepOf } from '../../model/steps'
import { focusOn } from '../places'
import { By, lower, Undone, Values } from './overwrite-words'
import { type Take, useTakes } from './takes'
import { Voids } from './voids'

interface OverwriteProps {
  readonly change: ChangeItem
  readonly target: TargetItem
  readonly rows: readonly FieldRow[]
}

/** What would be undone, and the choice of what stays; base is no choice. */
export function Overwrite({ change, target, rows }: OverwriteProps) {
  const { content, latest, me, off } = useRequestContext()
  const isMine = me.id === content.request.createdBy.id
  const takes = useTakes()
  const altered = rows.filter(({ overwrites }) => overwrites)
  const mayChoose = isAllowed(latest.review, 'rebase')
  const chosen = takes.of(change.id)
  const { causedBy } = change
  const author = nameOf(content.request.createdBy)
  const live = <Values rows={altered} side={({ now }) => now} />
  const option = (take: Take, name: string, value: ComponentChildren, about: ComponentChildren) => (
    <label class={take === 'drop' ? 'opt drop' : 'opt'}>
      <span class="name">
        <input
          type="radio"
          name={`take-${change.id}`}
          value={take}
          checked={chosen === take}
          onChange={() => takes.choose(change.id, take)}
        />
        {name}
      </span>
      {value && <span class="big">{value}</span>}
      <small>{about}</small>
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
      {altered.map((row) => (
        <p key={row.key} class="small">
          <Undone row={row} />
        </p>
      ))}
      <fieldset class="take" disabled={!mayChoose || off !== null}>
        <legend class="vh">
          What stays of {altered.map(({ label }) => label).join(', ')} of <bdi>{target.name}</bdi>
        </legend>
        <div class="opt base">
          <span class="name">Base</span>
          <span class="big">
            <Values rows={altered} side={({ was, now }) => was ?? now} />
          </span>
          <small>
            when <bdi>{nameOf(change.createdBy ?? content.request.createdBy)}</bdi> proposed it
            {change.createdAt && `, ${times.day(change.createdAt)}`}
          </small>
        </div>
        {option('theirs', 'Theirs', live, <>live now{causedBy && <By cause={causedBy} />}</>)}
        {option(
          'ours',
          'Ours',
          <Values rows={altered} side={({ after }) => after} />,
          <>this request{lower(altered)}</>,
        )}
        {option('drop', 'Drop', null, <>take this change out of the request; {live} stays live</>)}
      </fieldset>
      {mayChoose ? (
        <RebaseFoot />
      ) : (
        <p class="box-foot">
          <span>
            {isMine ? (
              stepOf(latest.review, 'rebase')?.missing[0]?.message
            ) : (
              <>
                Only <bdi>{author}</bdi> can choose.
              </>
            )}
          </span>
        </p>
      )}
    </div>
  )
}

const names: Readonly<Record<Take, string>> = { theirs: 'Theirs', ours: 'Ours', drop: 'Drop' }

function RebaseFoot() {
  const { off } = useRequestContext()
  const { all, open, of, rebase } = useTakes()
  const [only] = all
  const take = all.length === 1 && only ? of(only.id) : undefined
  const words = all.length > 1 ? `Rebase ${all.length} changes` : take ? `Rebase with “${names[take]}”` : 'Rebase…'
  return (
    <>
      <div class="box-foot">
        <Button
          kind="primary"
          icon="refresh"
          off={off !== null || open.length > 0}
          busy={rebase.busy && 'Rebasing…'}
          onClick={() => rebase.press()}
        >
          {words}
        </Button>
        {open.length > 0 ? <Open changes={open} /> : <Voids />}
      </div>
      <OutcomeNotice action={rebase} what="rebase it" />
    </>
  )
}

function Open({ changes }: { readonly changes: readonly ChangeItem[] }) {
  const links = changes.slice(0, 5).map((change) => (
    <button key={change.id} type="button" class="link" onClick={() => focusOn(`c-${change.id}`)}>
      <bdi>{change.feature ?? change.name ?? `change ${change.id}`}</bdi>
    </button>
  ))
  return <span>Choose what stays: {list(links, 'and')}.</span>
}
