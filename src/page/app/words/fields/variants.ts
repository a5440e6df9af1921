import { isObject, type Json, type JsonObject, listOf, objectOf, shown, textIn } from '../json'
import { percent } from '../numbers'
import { strong } from '../spans'
import { elementsOf, isWhole, propertiesOf } from './expand'
import { labelOf } from './labels'
import { listSides } from './lists'
import { parseWeight, shareRow } from './parameters'
import { type FieldDiff, type FieldRow, lowered, none, plain, row, type Side, side, textRow } from './row'

/** The rows of a variant: of one of its properties, of all of them, or of the whole list. */
export function variantRows(names: readonly string[], diff: FieldDiff): readonly FieldRow[] {
  const [name, property, ...deeper] = names
  if (name === undefined) {
    const rows = elementsOf(diff, 'name').flatMap((one) => variantRows([nameIn(one)], one))
    return [...rows, ...orderRow(diff)]
  }
  if (property === undefined) {
    if (!isWhole(diff)) return [row(name, diff, plain)]
    return propertiesOf(diff).flatMap((one) => variantRows([name, one.path.slice(diff.path.length + 1)], one))
  }
  if (property === 'name') return []
  if (property === 'weight') return [{ ...shareRow(name, diff, parseWeight), name }]
  const label = [name, ...[property, ...deeper].map((one) => lowered(labelOf(one)))].join(' · ')
  const found = property === 'payload' && isWhole(diff) ? row(label, diff, payloadSide) : textRow(label, diff)
  return [{ ...found, name: label }]
}

/** The order of the variants that are there before and after, if it differs. */
function orderRow(diff: FieldDiff): readonly FieldRow[] {
  const namesOf = (value: Json) => listOf(value).map((one) => textIn(one, 'name'))
  const [current, proposed] = [namesOf(diff.current), namesOf(diff.proposed)]
  const order = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.includes(name)).join(', ')
  const [now, after] = [order(current, proposed), order(proposed, current)]
  return now === after
    ? []
    : [{ ...row('Order of variants', diff), key: `${diff.path} order`, now: side(now), after: side(after) }]
}

function nameIn({ current, proposed, path }: FieldDiff): string {
  return textIn(proposed, 'name') || textIn(current, 'name') || path
}

function payloadSide(value: Json) {
  if (value === null) return none
  return isObject(value) ? side(`${shown(value.type)}: ${shown(value.value)}`) : plain(value)
}

/** The shares of all variants together, where one of them is altered. */
export function totalRow(rows: readonly FieldRow[], before: JsonObject | null, after: JsonObject | null): FieldRow[] {
  if (after === null || !rows.some(({ key }) => key.startsWith('/variants/') && key.endsWith('/weight'))) return []
  const sides = { now: totalSide(before), after: totalSide(after) }
  return [{ key: '/variants', label: 'All variants', ...sides, was: null, overwrites: false, share: null }]
}

function totalSide(part: JsonObject | null): Side {
  const weights = listOf(part?.variants).map((one) => objectOf(one).weight)
  if (weights.length === 0) return none
  // In thousandths: the sum of percentages would not be exact.
  const total = weights.reduce((sum: number, weight) => sum + (typeof weight === 'number' ? weight : 0), 0)
  return total === 1000 ? side(percent(100)) : side(strong(`${percent(total / 10)}, not ${percent(100)}`))
}

/** The rows of a parent: of one of its properties, of all of them, or of the whole list. */
export function dependencyRows(names: readonly string[], diff: FieldDiff): readonly FieldRow[] {
  const [parent, property] = names
  if (parent === undefined) {
    return elementsOf(diff, 'feature').flatMap((one) => dependencyRows([parentIn(one)], one))
  }
  if (property === undefined) return [row(`Depends on ${parent}`, diff, conditionSide)]
  const label = `Depends on ${parent} · ${lowered(labelOf(property))}`
  if (property === 'enabled') return [row(label, diff, (value) => side(value === false ? 'off' : 'on'))]
  if (property !== 'variants') return [row(label, diff, plain)]
  return [{ ...row(label, diff, plain), ...listSides(textsOf(diff.current), textsOf(diff.proposed)) }]
}

function parentIn({ current, proposed, path }: FieldDiff): string {
  return textIn(proposed, 'feature') || textIn(current, 'feature') || path
}

function conditionSide(value: Json) {
  if (value === null) return side('not')
  const { enabled, variants } = objectOf(value)
  if (enabled === false) return side('while it is off')
  const named = listSides(null, textsOf(variants ?? [])).after.words
  return listOf(variants).length === 0 ? side('while it is on') : side('while it is on, with one of ', ...named)
}

function textsOf(value: Json): readonly string[] | null {
  return value === null ? null : listOf(value).map(shown)
}
