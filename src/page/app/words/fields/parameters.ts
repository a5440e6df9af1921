import { parsePercent } from '../../../../domain/content/percentage'
import { percentages } from '../../../../domain/content/reach'
import { type JsonObject, objectOf, shown } from '../json'
import { percent } from '../numbers'
import { brief, muted, type Words } from '../spans'
import { labelOf } from './labels'
import { listSides, splitList } from './lists'
import { type FieldDiff, type FieldRow, none, plain, row, type side, textRow, unlikeOurs } from './row'

/** Parameters that hold a list as text. */
export const listParameters: ReadonlySet<string> = new Set(['userIds', 'IPs', 'hostNames'])

/** One setting of a strategy. */
export function parameterRow(name: string, diff: FieldDiff, { before, after }: ReviewedParts): FieldRow {
  const label = labelOf(name)
  if (percentages.has(name)) {
    // In a diff, null is also what is absent.
    const values = [before, after].flatMap((part) => (part ? [objectOf(part.parameters)[name]] : []))
    const isImplied = name === 'rollout' && values.length === 2 && values.includes(undefined)
    const absent = isImplied ? impliedShare : values.includes(null) ? shareWords(null) : undefined
    return shareRow(label, diff, parsePercent, absent)
  }
  if (!listParameters.has(name)) return textRow(label, diff)
  return { ...row(label, diff, plain), ...listSides(splitList(diff.current), splitList(diff.proposed)) }
}

/** A rollout that a strategy does not have reaches everybody. */
export const impliedShare: Words = [percent(100), ' ', muted('(not set)')]

interface ReviewedParts {
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/** A percentage, with what it was and will be as numbers. */
export function shareRow(
  label: string,
  diff: FieldDiff,
  parse: (value: unknown) => number | null,
  absent: Words = none.words,
): FieldRow {
  const show = (value: unknown) => ({ words: value === null ? absent : shareWords(value, parse) })
  const sides = [diff.current, diff.proposed]
  const [from = null, to = null] = sides.map(parse)
  const isReadable = sides.every((value) => value === null || parse(value) !== null)
  return { ...row(label, diff, show), share: isReadable && absent === none.words ? { from, to } : null }
}

/** What is no percentage is shown as it is, with a mark: SDKs may read it as anything. */
export function shareWords(value: unknown, parse = parsePercent): Words {
  const parsed = parse(value)
  if (parsed !== null) return [percent(parsed)]
  return [{ text: value === '' ? 'empty' : unlikeOurs(shown(value)), as: 'value' }, ' ', muted('(not a percentage)')]
}

/** The value of the parameter in one line. */
export function parameterWords(name: string, value: unknown): Words {
  if (value === undefined) return none.words
  return percentages.has(name) ? shareWords(value) : brief(listSides(null, splitList(value)).after.words)
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
