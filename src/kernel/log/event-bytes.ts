import type { EventView } from '../../generated/index'
import { type EventPage, eventFingerprint } from '../../ports/storage/events'

/** Separates the events of a page. The line feed occurs nowhere else. */
export const separator = Buffer.from(',\n')

const lineFeed = 0x0a

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

export function parsedEvents(page: Pick<EventPage, 'json'>): EventView[] {
  // In pieces that fit into the cache of the processor.
  return eachEvent(page).map(parseEvent)
}

export function parseEvent({ buffer, byteOffset, byteLength }: Uint8Array): EventView {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
}

export function firstEvent({ json }: EventPage): Uint8Array | undefined {
  const end = json.indexOf(lineFeed)
  return json.length === 0 ? undefined : json.subarray(0, end < 0 ? json.length : end - 1)
}

/** The fingerprint of an event as it is served, with or without its groups. */
export function fingerprintOf(event: Uint8Array): string {
  return eventFingerprint(Buffer.concat([openingBrace, event.subarray(startOfStored(event))]))
}

/** An event as the search serves it, without its groups: these are the bytes that a ledger seals. */
export function withoutGroups(event: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${idStart}${idOf(event)},`), event.subarray(startOfStored(event))])
}

function startOfStored(event: Uint8Array): number {
  // In this encoding, each byte is one character.
  const text = Buffer.from(event.buffer, event.byteOffset, event.byteLength).toString('latin1')
  idAndGroups.lastIndex = 0
  return idAndGroups.test(text) ? idAndGroups.lastIndex : 1
}

const openingBrace = Buffer.from('{')

/** What is served of an event before its stored JSON. */
const idAndGroups = /\{"id":\d+,(?:"groupType":"(?:[^"\\]|\\.)*",)?(?:"groupId":"(?:[^"\\]|\\.)*",)?/y

const idStart = '{"id":'

/** The id that an event as it is served begins with. */
export function idOf(event: Uint8Array | undefined): number {
  return event === undefined
    ? 0
    : Number.parseInt(Buffer.from(event.subarray(idStart.length, idStart.length + 20)).toString('latin1'), 10)
}
