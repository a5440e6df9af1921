const rightToLeft = /[\u0590-\u08ff]/

/** Whether the locale of the browser writes dates or numbers from right to left. */
export const writesRightToLeft = rightToLeft.test(
  new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric' }).format(0),
)

/**
 * Dates and numbers as the locale of the browser writes them, with ordinary blanks. What is written from right to left keeps
 * its place among English words. They follow that locale with `undefined` for `Intl`, because `navigator.language` can be a
 * tag that `Intl` rejects.
 */
export function isolated(text: string): string {
  const written = text.replace(/\p{Zs}/gu, ' ')
  return rightToLeft.test(written) ? `\u2068${written}\u2069` : written
}
