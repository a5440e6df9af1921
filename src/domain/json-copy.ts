/**
 * A copy as JSON keeps it, for small values much faster than `structuredClone`: what was stored and what a gateway returns
 * are the same then, whatever it makes dates of, and whether it leaves a property out or says that it is undefined.
 */
export function copyOf<Value>(value: Value): Value {
  return asJson(value) as Value
}

function asJson(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => asJson(element) ?? null)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return asJson((value as Date).toJSON())
  const copy: [string, unknown][] = []
  for (const [name, own] of Object.entries(value)) if (own !== undefined) copy.push([name, asJson(own)])
  return Object.fromEntries(copy)
}
