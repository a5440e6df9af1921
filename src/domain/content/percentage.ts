/** The text of an integer from 0 to 100, without a sign, leading zeros or blanks. */
export function isPercentage(value: unknown): value is string {
  return typeof value === 'string' && /^(?:0|[1-9]\d?|100)$/.test(value)
}

/** A percentage that is stored as text; null for what `unleashRules()` would reject. A number equals its text (contract 16). */
export function parsePercent(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  return isPercentage(text) ? Number(text) : null
}
