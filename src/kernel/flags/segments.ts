/** The ids in the property `segments` of a strategy. */
export function segmentsIn(value: unknown): readonly number[] {
  const { segments } = (value ?? {}) as { readonly segments?: unknown }
  return Array.isArray(segments) ? segments.filter((id) => Number.isSafeInteger(id)) : []
}
