import { count } from '../../../words/numbers'
import type { ShownFilter } from '../search/filter'

export const formats = [
  { format: 'csv', name: 'CSV', use: 'for spreadsheets', mediaType: 'text/csv' },
  { format: 'json', name: 'JSON', use: 'one document with all events', mediaType: 'application/json' },
  { format: 'ndjson', name: 'NDJSON', use: 'one event a line, for streams', mediaType: 'application/x-ndjson' },
] as const

export type Format = (typeof formats)[number]['format']

/** `events-shop-2026-11-18-Europe-Oslo.csv`: the contents of the file, shortened to fit into a name. */
export function fileName({ values, from, to, zone }: ShownFilter, format: Format): string {
  const named = [values.project?.join('-'), values.feature?.join('-'), values.environment?.join('-')]
  const days = from === to ? [from] : [from && `from-${from}`, to && `to-${to}`]
  const parts = [...named, ...days, zone].filter((part) => part !== undefined && part !== '')
  const safe = parts.map((part) => (part as string).replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60))
  return `${['events', ...safe].join('-')}.${format}`
}

/** `12.4 MB` */
export function byteWords(bytes: number): string {
  if (bytes < 1_000) return `${count(bytes)} bytes`
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${count(Number(size.toFixed(size < 100 ? 1 : 0)))} ${unit}`
}
