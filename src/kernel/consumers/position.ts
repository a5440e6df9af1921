import { ChangeRequestError } from '../../errors'
import type { EventView } from '../../generated/index'
import type { ConsumerStart } from '../../ports/consumers'
import type { ConsumerPosition, ConsumerStatus } from '../../ports/storage/consumers'
import type { EventCursor, EventStorage } from '../../ports/storage/events'
import { eachEvent, fingerprintOf, fingerprintWithGroups, idOf, parseEvent } from '../events/event-bytes'

type Log = Pick<EventStorage, 'eventPage' | 'eventHead'>
type StoredEvent = NonNullable<ConsumerPosition['event']>

/** Whether the log is the one that a position was stored for. */
export type Verdict = 'lost' | { readonly skipped: ConsumerStatus['skipped'] }

const unchanged: Verdict = { skipped: null }

/**
 * The position that a consumer starts from.
 *
 * @throws ChangeRequestError BadDataError for an id above the newest one
 */
export async function startPosition(log: Log, from: ConsumerStart): Promise<ConsumerPosition> {
  if (from === 'beginning') {
    // One below the oldest event, so that a later removal of events that were not read yet is noticed.
    const oldest = await nextTo(log, { after: 0 })
    return { position: oldest === undefined ? 0 : oldest.id - 1, event: null }
  }
  const { lastId, fingerprint } = await log.eventHead({})
  if (from === 'now') return { position: lastId, event: lastId === 0 ? null : { id: lastId, fingerprint } }
  if (from > lastId) {
    throw new ChangeRequestError('BadDataError', `The newest event has id ${lastId}; ${from} is above it.`)
  }
  return positionAt(log, from)
}

/** The position, with the newest event at or below it. */
export async function positionAt(log: Pick<Log, 'eventPage'>, position: number): Promise<ConsumerPosition> {
  return { position, event: (await nextTo(log, { before: position + 1 })) ?? null }
}

/**
 * Compares the log with a position that was stored before, and returns the position `to` in the same read. Read the events up
 * to `to` before: then they are from the log that is compared.
 */
export async function checkPosition(
  log: Pick<Log, 'eventPage'>,
  from: ConsumerPosition,
  to: number,
): Promise<{ readonly verdict: Verdict; readonly next: ConsumerPosition }> {
  const ids = [...new Set([from.event?.id ?? to, to])]
  const { json } = await log.eventPage({ ids }, { after: 0 }, ids.length)
  const found = new Map(eachEvent({ json }).map((event) => [idOf(event), fingerprintOf(event)]))
  const fingerprint = found.get(to)
  return {
    verdict:
      from.event !== null && found.get(from.event.id) === from.event.fingerprint ? unchanged : await judge(log, from),
    next: fingerprint === undefined ? await positionAt(log, to) : { position: to, event: { id: to, fingerprint } },
  }
}

/** Events, and the position after them. */
interface ReadEvents {
  readonly events: readonly EventView[]
  readonly next: ConsumerPosition
  /** The size of their JSON. */
  readonly bytes: number
}

/**
 * The events after a position at an event, without a filter. They are read together with that event, so that no other read is
 * needed to compare the log. Undefined if there are none, or if the log must be compared with {@link checkPosition}.
 */
export async function readAfter(
  log: Pick<Log, 'eventPage'>,
  { event }: ConsumerPosition,
  limit: number,
): Promise<ReadEvents | undefined> {
  if (event === null) return undefined
  const page = await log.eventPage({}, { after: event.id - 1 }, limit + 1, true)
  const bytes = eachEvent(page)
  const [first, ...events] = bytes.map(parseEvent)
  const last = events.at(-1)
  if (first === undefined || last === undefined || first.id !== event.id) return undefined
  const fingerprint = fingerprintWithGroups(bytes.at(-1) as Uint8Array, last)
  if (fingerprint === undefined || fingerprintWithGroups(bytes[0] as Uint8Array, first) !== event.fingerprint) {
    return undefined
  }
  return { events, next: { position: last.id, event: { id: last.id, fingerprint } }, bytes: page.json.length }
}

/** The verdict if the stored event is not in the log (extensions 8, "Position"). */
async function judge(log: Pick<Log, 'eventPage'>, { position, event }: ConsumerPosition): Promise<Verdict> {
  const oldest = await nextTo(log, { after: 0 })
  // All events were removed: what is written next has a higher id, or shows that the log is another one.
  if (oldest === undefined) return unchanged
  if (event !== null) {
    const isOlderLeft = oldest.id <= event.id
    if (isOlderLeft) return 'lost'
  } else {
    const newest = await nextTo(log, { before: Number.MAX_SAFE_INTEGER })
    if (newest !== undefined && newest.id < position) return 'lost'
  }
  return oldest.id > position + 1 ? { skipped: { from: position + 1, to: oldest.id - 1 } } : unchanged
}

async function nextTo(log: Pick<Log, 'eventPage'>, cursor: EventCursor): Promise<StoredEvent | undefined> {
  const [event] = eachEvent(await log.eventPage({}, cursor, 1))
  return event && { id: idOf(event), fingerprint: fingerprintOf(event) }
}

/** The id of the oldest event; undefined for an empty log. */
export async function oldestId(log: Pick<Log, 'eventPage'>): Promise<number | undefined> {
  return (await nextTo(log, { after: 0 }))?.id
}
