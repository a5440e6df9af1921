/** The id in a path segment; undefined if it is not a valid id (contract 2.1). */
export function parseId(text: string): number | undefined {
  const id = parseDigits(text)
  return id === 0 ? undefined : id
}

/** Decimal digits without sign and leading zeros, up to the largest integer that a number holds exactly. */
export function parseDigits(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}
