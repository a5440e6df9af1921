import type { FieldDiff, FieldRow } from '../fields/row'
import { everybodyRow, type ReviewedChange, reachesAll, rowsOf } from '../fields/rows'
import { totalRow } from '../fields/variants'
import { isSame } from '../json'

/** Ids and numbers of the store, which say nothing to people. */
const internal: ReadonlySet<string> = new Set(['id', 'sortOrder'])

/**
 * All rows of the strategy of a change. A row that stays the same has the same side before and after.
 *
 * @param altered the rows of the change
 */
export function wholeRows(change: ReviewedChange, altered: readonly FieldRow[]): readonly FieldRow[] {
  const { before, after } = change
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const fields = [...names]
    .filter((name) => !internal.has(name))
    .map((name): FieldDiff => {
      const [current = null, proposed = null] = [before?.[name], after?.[name]]
      return { path: `/${name}`, base: current, current, proposed, overwrites: false, whole: true }
    })
  const rows = rowsOf({ ...change, fields })
  const everybody = change.action !== 'addStrategy' && reachesAll(after) ? [everybodyRow] : []
  const left = new Map(altered.map((row) => [row.key, row]))
  const all = [...rows, ...everybody, ...totalRow(rows, before, after)].map((row): FieldRow => {
    const known = left.get(row.key)
    left.delete(row.key)
    if (known) return known
    return isSame(row.now, row.after) || row.key === everybodyRow.key ? { ...row, now: row.after } : row
  })
  return [...all, ...left.values()]
}
