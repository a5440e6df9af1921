import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Json } from '../../../parts/lists/json'
import { Icon } from '../../../parts/marks/icon'
import { isClosed } from '../../../parts/marks/state-traits'
import { changeWords } from '../../../words/changes'
import type { ChangeItem, TargetItem } from '../../../words/content/items'
import { rowsOf } from '../../../words/fields/rows'
import { totalRow } from '../../../words/fields/variants'
import { counted } from '../../../words/numbers'
import { hasUnseen } from '../../../words/visible'
import { useRequestContext } from '../model/context'
import { isAllowed } from '../model/steps'
import { Beside, ChangeMarks } from './change-marks'
import { ChangeRows, withoutNow } from './change-rows'
import { Conflict } from './conflict'
import { Overwrite } from './overwrite/overwrite'
import { changeId } from './places'

/** One change: what it does, field by field, and what prevents it. */
export function Change({ change, target }: { readonly change: ChangeItem; readonly target: TargetItem }) {
  const { latest, later, marks, open, off } = useRequestContext()
  const [isJson, setJson] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const rows = useMemo(() => {
    const altered = rowsOf(change)
    return withoutNow([...altered, ...totalRow(altered, change.before, change.after)], change)
  }, [change])
  const { icon, what, how } = changeWords(change, change.before ?? change.after)
  const isOverwriting = rows.some(({ overwrites }) => overwrites)
  const id = changeId(change.id)
  const label = `${what} ${how}`.trim()
  const comments = latest.review.discussion.filter(
    ({ changeId, text }) => changeId === change.id && text !== null,
  ).length
  const said = comments > 0 ? counted(comments, 'comment') : 'Comment'
  return (
    <div class="change" id={id} tabIndex={-1} data-change={change.id}>
      <div class="change-head">
        <Icon name={icon} />
        <p>
          <span class="what">
            <bdi>{what}</bdi>
          </span>
          {how && <span class="muted">{how}</span>}
          <ChangeMarks change={change} isOverwriting={isOverwriting} isNew={marks?.added.has(change.id) === true} />
        </p>
        <div class="change-tools">
          {!isClosed(latest.review.state) && (
            <span class="viewed">{later && <later.Viewed id={change.id} label={label} />}</span>
          )}
          <Button
            kind="quiet"
            size="tiny"
            icon="braces"
            aria-expanded={isJson}
            data-key="x"
            aria-label={`JSON of ${label}`}
            onClick={() => setJson(!isJson)}
          >
            <span class="txt">JSON</span>
          </Button>
          <Button
            kind="quiet"
            size="tiny"
            icon="comment"
            aria-expanded={isWriting}
            data-key="c"
            aria-label={`${said} on ${label}`}
            onClick={() => setWriting(!isWriting)}
          >
            <span class="txt">{said}</span>
          </Button>
          {isAllowed(latest.review, 'edit') && (
            <>
              <Button
                kind="quiet"
                size="tiny"
                icon="pencil"
                off={off !== null}
                aria-label={`Edit ${label}`}
                onClick={() => open({ edit: change.id })}
              >
                <span class="txt">Edit</span>
              </Button>
              <Button
                kind="quiet"
                size="tiny"
                icon="trash"
                off={off !== null}
                aria-label={`Discard ${label}`}
                onClick={() => open({ discardChange: change.id })}
              >
                <span class="txt">Discard</span>
              </Button>
            </>
          )}
        </div>
      </div>
      <Beside change={change} />
      {hasUnseen([target.name, change.payload, change.before, change.after]) && (
        <p class="box m-care small">
          <Icon name="warn" /> This change contains characters that can't be seen. Marks stand in their place.
        </p>
      )}
      {rows.length > 0 ? (
        <ChangeRows change={change} rows={rows} />
      ) : (
        change.nowKnown &&
        change.conflict === null &&
        !plainlySaid.has(change.action) && <p class="small muted">No difference: it already has these values.</p>
      )}
      {isJson && (
        <Json label={`JSON of ${label}`} value={change.after ?? change.payload} before={change.before ?? undefined} />
      )}
      {isOverwriting && <Overwrite change={change} target={target} rows={rows} />}
      {change.conflict !== null && !isClosed(latest.review.state) && <Conflict change={change} />}
      {isWriting && later && (
        <later.Thread about={change.id} label={`Comment on ${label}`} onClose={() => setWriting(false)} />
      )}
    </div>
  )
}

/** Their heading says all. */
const plainlySaid: ReadonlySet<string> = new Set(['deleteReleasePlan', 'resumeMilestoneProgression'])
