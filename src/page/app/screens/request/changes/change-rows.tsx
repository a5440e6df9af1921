import { everywhere } from '../../../core/tools/production'
import { ChangedMark, FieldTable } from '../../../parts/changes/field-table'
import { Said } from '../../../parts/changes/said'
import { useComparisons } from '../../../parts/lists/use-comparisons'
import { markKey } from '../../../words/content/compare'
import type { ChangeItem } from '../../../words/content/items'
import type { FieldRow } from '../../../words/fields/row'
import { useRequestContext } from '../model/context'
import { rowId } from './places'
import { useStrategyView } from './strategy-view'

const unknown = { words: [{ text: 'unknown', as: 'muted' as const }] }
const gone = { words: [{ text: 'no longer exists', as: 'muted' as const }] }

/** What nobody knows is not shown as absent. */
export function withoutNow(rows: readonly FieldRow[], { nowKnown, action, conflict }: ChangeItem): readonly FieldRow[] {
  if (nowKnown || action.startsWith('add')) return rows
  const now = conflict === null ? unknown : gone
  return rows.map((row) => ({ ...row, now, share: null }))
}

/** The first column; a closed change request is compared with the state at that time. */
const columns: Readonly<Record<string, string>> = { Applied: 'Before in', Rejected: 'Then in', Cancelled: 'Then in' }

/** Whether it is about a strategy whose fields are known. */
export function isOfStrategy({ action, before, after }: ChangeItem): boolean {
  return action.endsWith('Strategy') && action !== 'reorderStrategy' && (before ?? after) !== null
}

/** The table, with what is to be looked at again. */
export function ChangeRows({ change, rows }: { readonly change: ChangeItem; readonly rows: readonly FieldRow[] }) {
  const { content, latest, marks } = useRequestContext()
  const view = useStrategyView()
  const isWhole = view !== 'fields' && isOfStrategy(change)
  const { wholeRows } = useComparisons(isWhole) ?? {}
  const { environment } = content.request
  const note = ({ key }: FieldRow) => {
    const mark = markKey(change.id, key)
    if (marks?.fields.has(mark) !== true) return null
    const was = marks.fields.get(mark)
    return (
      <span class="changed-field">
        <ChangedMark />
        {was && (
          <small>
            was <Said words={was} />
          </small>
        )}
      </span>
    )
  }
  return (
    <FieldTable
      rows={(isWhole && wholeRows?.(change, rows)) || rows}
      now={`${columns[latest.review.state] ?? 'Now in'} ${change.feature === null ? everywhere : environment}`}
      after="After applying"
      note={note}
      id={({ key }) => (marks?.fields.has(markKey(change.id, key)) ? rowId(markKey(change.id, key)) : undefined)}
      unified={isWhole && view === 'unified'}
    />
  )
}
