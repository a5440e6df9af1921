import { Link } from '../../../../core/places/link'
import { requestPath } from '../../../../core/places/navigation'
import * as times from '../../../../core/tools/times'
import { Said } from '../../../../parts/changes/said'
import type { ChangeItem } from '../../../../words/content/items'
import { type FieldRow, labelInLine, type Side } from '../../../../words/fields/row'
import { points } from '../../../../words/numbers'
import { brief } from '../../../../words/spans'
import { useRequestContext } from '../../model/context'

/** `Applying would take the rollout from 40 % down to 30 %.` */
export function Undone({ row }: { readonly row: FieldRow }) {
  const { now, after, share } = row
  const moved = share?.from != null && share.to != null ? points(share.from, share.to) : null
  const direction = moved ? (moved.up ? 'up to' : 'down to') : 'to'
  return (
    <>
      Applying would take {labelInLine(row)} from <Said words={brief(now.words)} />{' '}
      <b>
        {direction} <Said words={brief(after.words)} />
      </b>
      .
    </>
  )
}

/** One value, or a list of them with their fields. */
export function Values({ rows, side }: { readonly rows: readonly FieldRow[]; readonly side: (row: FieldRow) => Side }) {
  return (
    <>
      {rows.map((row, index) => (
        <span key={row.key} class="value-line">
          {rows.length > 1 && <span class="muted small">{row.label} </span>}
          <Said words={brief(side(row).words)} />
          {index < rows.length - 1 && <span class="vh">, </span>}
        </span>
      ))}
    </>
  )
}

/** Ours may be less than what is live: that is said. */
export function lower(rows: readonly FieldRow[]): string {
  const moves = rows.flatMap(({ share }) =>
    share?.from != null && share.to != null ? [points(share.from, share.to)] : [],
  )
  return moves.some((moved) => moved?.up === false) ? ', lower than what is live' : ''
}

/** Who put in what is live. */
export function By({ cause }: { readonly cause: NonNullable<ChangeItem['causedBy']> }) {
  const { place } = useRequestContext()
  return (
    <>
      , by <bdi>{cause.createdBy}</bdi>
      {cause.changeRequestId !== undefined && (
        <>
          {' in '}
          <Link to={requestPath(place.project, cause.changeRequestId)}>#{cause.changeRequestId}</Link>
        </>
      )}
      , {times.dayAndTime(cause.createdAt)}
    </>
  )
}
