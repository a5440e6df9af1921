import type { EventView } from '../../generated/index'
import { type EventPage, eventFingerprint } from '../../ports/storage/events'

/** Separates the events of a page. The line feed occurs nowhere else. */
export const separator = Buffer.from(',\n')

const lineFeed = 0x0a

/** The events of a page, one by one. */
export function eachEvent({ json }: Pick<EventPage, 'json'>): Uint8Array[] {
  const events: Uint8Array[] = []
  let start = 0
  while (start < json.length) {
    const end = json.indexOf(lineFeed, start)
    // A comma precedes the line feed.
    events.push(json.subarray(start, end < 0 ? json.length : end - 1))
    if (end < 0) break
    start = end + 1
  }
  return events
}

/** The events of a page, parsed. */
export function parsedEvents(page: Pick<EventPage, 'json'>): EventView[] {
  // In pieces that fit into the cache of the processor.
  return eachEvent(page).map(parseEvent)
}

/** Parses an event as it is served, without copying its bytes. */
export function parseEvent({ buffer, byteOffset, byteLength }: Uint8Array): EventView {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
}

/** The first event of a page. */
export function firstEvent({ json }: EventPage): Uint8Array | undefined {
  const end = json.indexOf(lineFeed)
  return json.length === 0 ? undefined : json.subarray(0, end < 0 ? json.length : end - 1)
}

/** The fingerprint of an event as it is served, without its groups. */
export function fingerprintOf(event: Uint8Array): string {
  const afterId = event.indexOf(comma) + 1
  return eventFingerprint(Buffer.concat([Buffer.from('{'), event.subarray(afterId)]))
}

/** The fingerprint of an event that is served with its groups; undefined if its text has another form. */
export function fingerprintWithGroups(
  event: Uint8Array,
  { id, groupType, groupId }: Pick<EventView, 'id' | 'groupType' | 'groupId'>,
): string | undefined {
  const groups = JSON.stringify({ id, groupType, groupId })
  const start = Buffer.from(`${groups.slice(0, -1)},`)
  if (!start.equals(event.subarray(0, start.length))) return undefined
  return eventFingerprint(Buffer.concat([Buffer.from('{'), event.subarray(start.length)]))
}

const comma = 0x2c

const idStart = '{"id":'.length

/** The id that an event as it is served begins with. */
export function idOf(event: Uint8Array | undefined): number {
  return event === undefined
    ? 0
    : Number.parseInt(Buffer.from(event.subarray(idStart, idStart + 20)).toString('latin1'), 10)
}
