import { parse } from 'csv-parse/sync'

/** An independent reader of RFC 4180: rows of cells without quotes. */
export function parseCsv(text: string, delimiter: string | string[] = ','): string[][] {
  if (text !== '' && !text.endsWith('\r\n')) throw new Error('The last row does not end with a line break.')
  return parse(text, { delimiter, record_delimiter: '\r\n' })
}

/**
 * Reads like a spreadsheet program with another separator: a quote counts only at the start of a cell of that program, or
 * not at all.
 */
export function misreadCsv(text: string, delimiter: string, quotes: boolean): string[][] {
  const how = quotes ? { relax_quotes: true } : { quote: false as const }
  return parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, ...how })
}
