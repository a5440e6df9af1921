import { changeRequestEventTypes } from '../generated/lists'
import { bodyColumns } from '../kernel/log/event-rows'
import type { InspectedEvent } from '../ports/storage/inspection'
import { differencesOf, type Findings } from './findings'

const lifeTypes: ReadonlySet<string> = new Set(changeRequestEventTypes)

/** Whether the host recorded the event, or its gateway returned it. */
export function isRecorded(type: unknown): boolean {
  return typeof type !== 'string' || !lifeTypes.has(type)
}

/** Compares the columns of an event with its body, as far as it has their values. */
export function checkEvent({ id, columns, json }: InspectedEvent, findings: Findings): void {
  const body = parsedObject(json)
  if (body === undefined) {
    findings.add('events', id, 'a JSON object', json)
    return
  }
  findings.addDifferences('events', id, differencesOf(expectedColumns(body), columns))
}

/** The columns of an event that follow from its body. */
export function expectedColumns(body: Readonly<Record<string, unknown>>) {
  const event = typeof body.type === 'string' ? body : { ...body, type: String(body.type) }
  return { ...bodyColumns(event as unknown as Parameters<typeof bodyColumns>[0]), ...routerColumns(body) }
}

/** What the router writes about change requests belongs to no group, and names the machine that acted. */
function routerColumns({ type, data }: Readonly<Record<string, unknown>>): object {
  if (isRecorded(type)) return {}
  const { actor } = (data ?? {}) as { readonly actor?: { readonly kind?: unknown } }
  return { createdByKind: actor?.kind ?? null, groupType: null, groupId: null }
}

export function parsedObject(json: string | Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
