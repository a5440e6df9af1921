import { typeWords } from '../event/type-words'
import { dayWords } from '../plot/days'
import { fieldWords, type ShownFilter, singleDay, type ValueField, valueFields, withDays, withoutValue } from './filter'

/** One filter that is on. */
export interface FilterChip {
  readonly key: string
  /** Such as `Project is` or, for a further value, `or`. */
  readonly lead: string
  readonly value: string
  readonly without: ShownFilter
}

/** Names of people by the number of the user. */
export type Names = ReadonlyMap<number, string>

/** The filters that are on, value by value; without the text, which has its own field. */
export function filterChips(filter: ShownFilter, names: Names): FilterChip[] {
  const chips = valueFields.flatMap((field) =>
    (filter.values[field] ?? []).map((value, index) => ({
      key: `${field} ${value}`,
      lead: index === 0 ? `${fieldWords[field]} is` : 'or',
      value: valueWords(field, value, names),
      without: withoutValue(filter, field, value),
    })),
  )
  return [...chips, ...dayChips(filter)]
}

/** How a value is shown. */
export function valueWords(field: ValueField, value: string, names: Names): string {
  if (field === 'type') return typeWords(value)
  if (field === 'createdBy') return names.get(Number(value)) ?? `user ${value}`
  return value
}

/** In a few words: ` of Wed 18 Nov in shop`; empty for a filter that leaves nothing out. */
export function filterPhrase(filter: ShownFilter, names: Names): string {
  const parts = [daysPhrase(filter)]
  for (const field of valueFields) {
    const values = filter.values[field]
    if (values === undefined) continue
    const words = values.map((value) => valueWords(field, value, names)).join(' or ')
    parts.push(
      field === 'project' || field === 'environment' ? `in ${words}` : `${fieldWords[field].toLowerCase()} ${words}`,
    )
  }
  if (filter.query !== undefined) parts.push(`with “${filter.query}”`)
  return parts.filter((part) => part !== '').join(', ')
}

function daysPhrase({ from, to, zone }: ShownFilter): string {
  if (from === undefined) return to === undefined ? '' : `until ${dayWords(to)} (${zone})`
  if (from === to) return `of ${dayWords(from)} (${zone})`
  return to === undefined ? `since ${dayWords(from)} (${zone})` : `from ${dayWords(from)} to ${dayWords(to)} (${zone})`
}

function dayChips(filter: ShownFilter): FilterChip[] {
  const { from, to, zone } = filter
  const chip = (key: string, lead: string, day: string, without: ShownFilter) => {
    return { key, lead, value: dayWords(day), without }
  }
  const one = singleDay(filter)
  if (one !== undefined) return [chip('day', 'Day is', one, withDays(filter))]
  return [
    ...(from ? [chip('from', 'From', from, withDays(filter, undefined, to, zone))] : []),
    ...(to ? [chip('to', 'Until', to, withDays(filter, from, undefined, zone))] : []),
  ]
}
