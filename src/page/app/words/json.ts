/** A value of the interface, whose shape only the host knows. */
export type Json = unknown

export interface JsonObject {
  readonly [property: string]: Json
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {}
}

export function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function textIn(value: Json, property: string): string {
  const found = objectOf(value)[property]
  return typeof found === 'string' ? found : ''
}

/** Says nothing: absent, empty text or an empty list. */
export function isBlank(value: Json): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The same value, whatever the order of properties. */
export function isSame(one: Json, other: Json): boolean {
  if (one === other || (one ?? null) === (other ?? null)) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}

/** A value as short text: texts without quotes, all else as JSON. */
export function shown(value: Json): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
}
