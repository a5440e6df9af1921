/** The text of an integer from 0 to 100, without a sign, leading zeros or blanks. */
export function isPercentage(value: unknown): value is string {
  return typeof value === 'string' && /^(?:0|[1-9]\d?|100)$/.test(value)
}
