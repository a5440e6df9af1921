import { shown } from '../json'
import { parsePercent, percent } from '../numbers'
import { muted } from '../spans'
import { labelOf } from './labels'
import { listSides, splitList } from './lists'
import { type FieldDiff, type FieldRow, none, plain, row, type Side, side, textRow } from './row'

const percentages: ReadonlySet<string> = new Set(['rollout', 'percentage'])
const lists: ReadonlySet<string> = new Set(['userIds', 'IPs', 'hostNames'])

/** One setting of a strategy. */
export function parameterRow(name: string, diff: FieldDiff): FieldRow {
  if (percentages.has(name)) return shareRow(labelOf(name), diff, parsePercent)
  const label = labelOf(name)
  if (!lists.has(name)) return textRow(label, diff)
  return { ...row(label, diff, plain), ...listSides(splitList(diff.current), splitList(diff.proposed)) }
}

/** A percentage, with what it was and will be as numbers. */
export function shareRow(label: string, diff: FieldDiff, parse: (value: unknown) => number | null): FieldRow {
  const show = (value: unknown) => {
    const parsed = parse(value)
    if (parsed !== null) return side(percent(parsed))
    return value === null || value === undefined ? none : unreadable(value)
  }
  const [from, to] = [parse(diff.current), parse(diff.proposed)]
  return { ...row(label, diff, show), share: from === null && to === null ? null : { from, to } }
}

/** What is no percentage is shown as it is, with a mark: SDKs may read it as anything. */
function unreadable(value: unknown): Side {
  return side({ text: shown(value) || 'empty', as: 'value' }, ' ', muted('not a percentage'))
}

/** Variants are weighed in thousandths. */
export function parseWeight(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1000 ? value / 10 : null
}

/** A value that is on or off. */
export function switchSide(value: unknown): ReturnType<typeof side> {
  if (typeof value !== 'boolean') return value === null ? none : plain(value)
  return { words: [value ? 'on' : 'off'], on: value }
}
