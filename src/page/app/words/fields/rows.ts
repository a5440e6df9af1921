import { namesIn } from '../../../../domain/content/json-pointer'
import { isUnrestricted, reachedPercent } from '../../../../domain/content/reach'
import { kindOf } from '../../../../domain/content/strategy-kinds'
import { isSame, type Json, type JsonObject, listOf, objectOf, textIn } from '../json'
import { percent } from '../numbers'
import { muted, strong, type Words } from '../spans'
import { constraintRows } from './constraints'
import { propertiesOf, saysNothing } from './expand'
import { labelOf, type SegmentNames, segmentWords } from './labels'
import { listSides } from './lists'
import { parameterRow, switchSide } from './parameters'
import { type FieldDiff, type FieldRow, none, plain, row, side, textRow } from './row'
import { dependencyRows, variantRows } from './variants'

/** What the review says about one change. */
export interface ReviewedChange {
  readonly id: number
  readonly action: string
  readonly feature: string | null
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly fields: readonly FieldDiff[]
  readonly conflict: string | null
  readonly segmentNames?: SegmentNames | undefined
}

/** The table of a change: what is altered, in words. Fields that say nothing before and after are left out. */
export function rowsOf(change: ReviewedChange): readonly FieldRow[] {
  const rows = change.fields
    .filter((field) => field.overwrites || !saysNothing(field))
    .flatMap((field) => rowsOfField(namesIn(field.path), field, change))
    // A list whose order is altered is a field of its own, next to the fields of its elements.
    .filter(({ key }, index, all) => all.findIndex((one) => one.key === key) === index)
  return change.action === 'addStrategy' ? [...rows, ...everybodyRows(null, change.after)] : rows
}

/** Whom a strategy is for that neither a constraint nor a segment narrows; none if the change narrows it, or if it is unknown. */
export function everybodyRows(before: JsonObject | null, after: JsonObject | null): readonly FieldRow[] {
  const words = audienceShare(after)
  if (words === null) return []
  const old = audienceShare(before)
  const now = old === null ? none : { words: old }
  return [
    { key: '/constraints/everybody', label: 'For', now, after: { words }, was: null, overwrites: false, share: null },
  ]
}

/** `everybody`, `25 % of everybody`; null if something narrows it, if it is off, or if its reach is unknown. */
function audienceShare(strategy: JsonObject | null): Words | null {
  const share = reachedPercent(strategy)
  if (share === null || strategy?.disabled === true || !isUnrestricted(strategy)) return null
  return [...(share === 100 ? [] : [`${percent(share)} of `]), strong('everybody')]
}

function rowsOfField(names: readonly string[], field: FieldDiff, change: ReviewedChange): readonly FieldRow[] {
  const [name = '', ...deeper] = names
  if (name === 'id') return []
  if (name === 'variants') return variantRows(deeper, field)
  if (name === 'dependencies') return dependencyRows(deeper, field)
  if (name === 'strategies') return activatedRows(deeper, field, change)
  if (name === 'order') return deeper.length === 0 || deeper[1] === 'sortOrder' ? orderRows(field, change, deeper) : []
  if (name === 'constraints' && deeper.length === 0) return constraintRows(field)
  if (name === 'parameters') {
    const [parameter] = deeper
    if (parameter !== undefined) return [parameterRow(parameter, field, change)]
    return propertiesOf(field).flatMap((one) => rowsOfField(namesIn(one.path), one, change))
  }
  if (deeper.length === 0) return propertyRows(name, field, change)
  return [textRow(names.map(labelOf).join(' › '), field)]
}

function propertyRows(name: string, field: FieldDiff, { action, segmentNames }: ReviewedChange): readonly FieldRow[] {
  const ofStrategy = action.endsWith('Strategy')
  switch (name) {
    case 'enabled':
      return [row('Flag', field, switchSide)]
    case 'archived':
      return [row('Flag', field, (value) => side(value === true ? 'archived everywhere' : 'in use'))]
    case 'disabled':
      return !field.whole && isSame(field.current ?? false, field.proposed ?? false)
        ? []
        : [row('Strategy', field, disabledSide)]
    case 'segments': {
      const [current, proposed] = [field.current, field.proposed].map((ids) =>
        Array.isArray(ids) ? ids.map((id) => segmentWords(id, segmentNames)) : null,
      )
      return [{ ...row('Segments', field), ...listSides(current ?? null, proposed ?? null) }]
    }
    case 'name':
      return [row(ofStrategy ? 'Kind' : 'Name', field, ofStrategy ? kindSide : plain)]
    default:
      return [textRow(labelOf(name), field, textSide)]
  }
}

/** A strategy that the change activates without naming it: by switching the flag on, or by starting its milestone. */
function activatedRows(names: readonly string[], field: FieldDiff, { after }: ReviewedChange): readonly FieldRow[] {
  const [id] = names
  const strategy = listOf(after?.strategies)
    .map(objectOf)
    .find((one) => one.id === id)
  if (strategy === undefined) return []
  const name = textIn(strategy, 'title') || kindOf(textIn(strategy, 'name'))
  return [
    { ...row(`Strategy “${name}”`, field), now: disabledSide(true), after: disabledSide(strategy.disabled === true) },
  ]
}

function disabledSide(value: Json) {
  if (value === null) return none
  return side(value === true ? 'switched off' : 'in use')
}

function kindSide(value: Json) {
  return plain(typeof value === 'string' ? kindOf(value) : value)
}

function textSide(value: Json) {
  return value === '' ? side(muted('empty')) : plain(value)
}

/** The places of the strategies, counted from one. */
function orderRows(field: FieldDiff, { before, after }: ReviewedChange, names: readonly string[]): FieldRow[] {
  const [id] = names
  if (id === undefined) return [row('Order', field, (value) => plain(ranks(value).join(', ') || null))]
  const place = (part: JsonObject | null) => {
    const index = ranks(part?.order).indexOf(id)
    return index < 0 ? none : side(`place ${index + 1}`)
  }
  const [now, next] = [before === null ? plain(field.current) : place(before), place(after)]
  return isSame(now, next) ? [] : [{ ...row(`Strategy ${id}`, field), now, after: next }]
}

function ranks(order: Json): readonly string[] {
  return listOf(order)
    .map(objectOf)
    .sort((one, other) => Number(one.sortOrder ?? 0) - Number(other.sortOrder ?? 0))
    .map((one) => textIn(one, 'id'))
}
