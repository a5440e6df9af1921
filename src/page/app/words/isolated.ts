/**
 * Keeps what the locale of the browser writes from right to left in its place among English words. Dates and numbers
 * follow that locale: `undefined` for `Intl`, because `navigator.language` can be a tag that `Intl` rejects.
 */
export function isolated(text: string): string {
  return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text
}
