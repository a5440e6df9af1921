import type { JsonValue } from '../change-request'
import type { TargetPart } from './target-parts'

/** Each returns the payload that leads to a part; where there is none, a change can only be kept or dropped. */

type Part = NonNullable<TargetPart>

/** The properties that the payload sets, as they are in the part. */
export function properties(payload: { readonly [name: string]: unknown }, part: Part): JsonValue {
  // A null for `disabled` counts as not sent.
  const isKept = (name: string) => name === 'id' || (name === 'disabled' && payload.disabled === null)
  const left = Object.keys(payload).filter((name) => isKept(name) || Object.hasOwn(part, name))
  return Object.fromEntries(left.map((name) => [name, isKept(name) ? payload[name] : part[name]])) as JsonValue
}

export function enabled(payload: object, { enabled = false }: Part): JsonValue {
  return { ...payload, enabled }
}

export function order(payload: readonly { readonly id: string }[], { order = [] }: Part): JsonValue {
  const named = new Set(payload.map(({ id }) => id))
  return (order as { id: string }[]).filter(({ id }) => named.has(id))
}
