/**
 * Matches what spreadsheet programs run as a formula: they skip leading blanks and quotes, and accept full-width signs. A
 * tab or a line break starts a new cell.
 */
const formula = /^(?:["'\s\u200b-\u200f\u2060]*[=+\-@\uff0b\uff0d\uff1d\uff20]|["' ]*[\t\r\n])/

/** A formula inside a text: a program that separates by `;` or tab ignores the quotes around it. */
const formulaWithin = /[;\t\r\n](?=(?:["'\u200b-\u200f\u2060]|[^\S\t\r\n])*[=+\-@\uff0b\uff0d\uff1d\uff20])/g

/**
 * A row of RFC 4180 with its line break. Programs that separate by `;` or tab read the same cells. No spreadsheet program
 * runs a text as a formula; numbers are unchanged.
 */
export function csvRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

export const semicolonJson = '\\u003b'

export function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? withApostrophe(value) : jsonWithoutSemicolon(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A leading apostrophe turns a formula into a text; without its apostrophes the text is unchanged. */
function withApostrophe(text: string): string {
  // Few texts have a separator, and this check is cheaper.
  const within = /[;\t\r\n]/.test(text) ? text.replace(formulaWithin, "$&'") : text
  return formula.test(text) ? `'${within}` : within
}

/** The same JSON: `;` occurs only in its texts. */
function jsonWithoutSemicolon(value: unknown): string {
  return JSON.stringify(value).replaceAll(';', semicolonJson)
}
