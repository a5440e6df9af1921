import type { EventQuery } from '../../../../../client'

/** A filter that takes one or several values. */
export type ValueField = Exclude<keyof EventQuery, 'query' | 'from' | 'to'>

/** What each filter is called. */
export const fieldWords: Readonly<Record<ValueField, string>> = {
  project: 'Project',
  type: 'Type',
  feature: 'Flag',
  createdBy: 'Person',
  environment: 'Environment',
  groupId: 'Group',
  id: 'Id',
}

export const valueFields = Object.keys(fieldWords) as readonly ValueField[]

/** What of the log is shown. */
export interface ShownFilter {
  readonly values: Readonly<Partial<Record<ValueField, readonly string[]>>>
  /** First and last day in `zone`, both included. */
  readonly from?: string
  readonly to?: string
  /** With days only: their zone, such as `Europe/Oslo`. */
  readonly zone?: string
  /** A text in the values before and after, or in the tags. */
  readonly query?: string
}

/** The size of the first page of the log. It loads faster than a larger one; the next pages load while the user scrolls. */
export const firstEvents = 100

export const utc = 'UTC'

/** The filter in an address of the page; unknown parameters are left out. */
export function readFilter(query: URLSearchParams): ShownFilter {
  const values: Partial<Record<ValueField, readonly string[]>> = {}
  for (const field of valueFields) {
    const found = [...new Set(query.getAll(field).map((value) => value.trim()))].filter((value) =>
      isValue(field, value),
    )
    if (found.length > 0) values[field] = found
  }
  const zone = zoneFrom(query.get('zone')) ?? utc
  return withText(
    withDays({ values }, dayFrom(query.get('from')), dayFrom(query.get('to')), zone),
    query.get('query') ?? '',
  )
}

/** The parameters of an address of the page for this filter; absent ones are removed from it. */
export function toAddressQuery(filter: ShownFilter): Record<string, string | readonly string[] | undefined> {
  const values = Object.fromEntries(valueFields.map((field) => [field, filter.values[field]]))
  return { ...values, from: filter.from, to: filter.to, zone: filter.zone, query: filter.query }
}

/** The filter as the client takes it, without its days. */
export function toEventQuery({ values, query }: ShownFilter): EventQuery {
  const { id, createdBy, ...texts } = values
  return {
    ...texts,
    ...(query && { query }),
    ...(id && { id: id.map(Number) }),
    ...(createdBy && { createdBy: createdBy.map(Number) }),
  }
}

/** Whether a field can have this value: ids are numbers, and a comma separates values, except in names of flags. */
export function isValue(field: ValueField, value: string): boolean {
  if (field === 'id' || field === 'createdBy') return /^-?\d{1,15}$/.test(value.trim())
  return value.trim() !== '' && (field === 'feature' || !value.includes(','))
}

export function withValue(filter: ShownFilter, field: ValueField, value: string): ShownFilter {
  const current = filter.values[field] ?? []
  if (current.includes(value)) return filter
  return { ...filter, values: { ...filter.values, [field]: [...current, value] } }
}

export function withoutValue(filter: ShownFilter, field: ValueField, value: string): ShownFilter {
  const { [field]: current = [], ...others } = filter.values
  const rest = current.filter((one) => one !== value)
  return { ...filter, values: rest.length === 0 ? others : { ...others, [field]: rest } }
}

/** With these days instead of its own; without any for undefined. */
export function withDays(
  { from: _, to: __, zone: ___, ...rest }: ShownFilter,
  from?: string,
  to?: string,
  zone?: string,
): ShownFilter {
  return { ...rest, ...(from && { from }), ...(to && { to }), ...((from || to) && zone && { zone }) }
}

/** With this text instead of its own. */
export function withText({ query: _, ...rest }: ShownFilter, text: string): ShownFilter {
  const trimmed = text.trim()
  return trimmed === '' ? rest : { ...rest, query: trimmed }
}

/** The one day that it shows, if it shows one. */
export function singleDay({ from, to }: ShownFilter): string | undefined {
  return from !== undefined && from === to ? from : undefined
}

/** Whether it leaves anything out, its days aside. */
export function isNarrowed(filter: ShownFilter): boolean {
  return filter.query !== undefined || Object.keys(filter.values).length > 0
}

export function isFiltered(filter: ShownFilter): boolean {
  return isNarrowed(filter) || hasDays(filter)
}

export function hasDays({ from, to }: ShownFilter): boolean {
  return from !== undefined || to !== undefined
}

/** A day that exists, and that has one after it in every zone. */
export function dayFrom(text: string | null): string | undefined {
  if (text === null || text < '1970-01-02' || text > '9999-12-30' || Number.isNaN(Date.parse(text))) return undefined
  // Date parses February 31 as a day of March.
  return new Date(text).toISOString().startsWith(`${text}T`) ? text : undefined
}

/** The name of a zone that the browser knows. */
function zoneFrom(name: string | null): string | undefined {
  try {
    return name ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : undefined
  } catch {
    return undefined
  }
}
