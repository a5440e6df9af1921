import { parse } from 'csv-parse/sync'

/** Reads RFC 4180 as a program that knows nothing of us would: rows of cells, quotes taken off. */
export function parseCsv(text: string, delimiter: string | string[] = ','): string[][] {
  if (text !== '' && !text.endsWith('\r\n')) throw new Error('The last row does not end with a line break.')
  return parse(text, { delimiter, record_delimiter: '\r\n' })
}

/**
 * Reads it as a spreadsheet program does that separates by something else: a quote counts where a cell of that program
 * begins, and nowhere else, or not at all.
 */
export function misreadCsv(text: string, delimiter: string, quotes: boolean): string[][] {
  const how = quotes ? { relax_quotes: true } : { quote: false as const }
  return parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, ...how })
}
