import type { FieldDiff, FieldRow, Side } from '../fields/row'
import { everybodyRows, type ReviewedChange, rowsOf } from '../fields/rows'
import { totalRow } from '../fields/variants'
import { isSame } from '../json'
import { isList } from '../spans'

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
  const isEdit = before !== null && after !== null
  const known = new Set(altered.map(({ key }) => key))
  // What the review does not list stays the same, whatever its form.
  const rows = rowsOf({ ...change, fields }).map((row) =>
    isEdit && !known.has(row.key) ? { ...row, now: row.after } : row,
  )
  // The rows of an added strategy show it already.
  const everybody = before === null ? [] : everybodyRows(before, after)
  // Altered rows take the place of others, because they know what was overwritten.
  const all = [...rows, ...everybody, ...totalRow(rows, before, after), ...altered]
  return [...new Map(all.map((row) => [row.key, row])).values()].map((row): FieldRow => {
    const isKept = row.was === null && isSame(row.now, row.after)
    return { ...row, ...(isKept && { now: row.after }), isMerged: isKept || isMerged(row) }
  })
}

/** There was nothing, or what comes and goes is marked. */
function isMerged({ now, after, texts, was }: FieldRow): boolean {
  const isNothing = now.words.length === 1 && has(now, 'muted')
  return was === null && (texts !== undefined || isNothing || has(after, 'added', 'removed'))
}

const has = ({ words }: Side, ...marks: string[]): boolean =>
  words.some((one) => {
    if (isList(one)) return has({ words: one.values }, ...marks)
    return typeof one !== 'string' && marks.includes(one.as)
  })
