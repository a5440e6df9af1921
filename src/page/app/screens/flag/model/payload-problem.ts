const wrong: Readonly<Record<string, (value: string) => string | undefined>> = {
  json(value) {
    try {
      JSON.parse(value)
      return undefined
    } catch {
      return 'This is not JSON yet.'
    }
  },
  number: (value) =>
    value.trim() !== '' && Number.isFinite(Number(value)) ? undefined : 'This is not a number yet, such as 1.5.',
  // Quotation marks come in pairs, around a value.
  csv: (value) =>
    value !== '' && value.split('"').length % 2 === 1 ? undefined : 'This is not CSV yet, such as a,b or "a,b",c.',
}

/** What is wrong with the payload of a variant; undefined if nothing is, or if its type is unknown. */
export function payloadProblem(type: string, value: string): string | undefined {
  return Object.hasOwn(wrong, type) ? wrong[type]?.(value) : undefined
}
